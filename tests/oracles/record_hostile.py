"""Records what installed libraries give for the hostile cases: `python -m tests.oracles.record_hostile PRESET…`.

Each library gets an environment of its own in a folder, `--environments FOLDER`, at the version that its adapter names,
and is called for each case and metric by itself. A run that was stopped goes on where it ended; where a library ends
the process, or does not return, that is its refusal. An era, as `recommenders@1.1.1`, is recorded on the shared cases
too, which newer versions have in `data/oracles`.
"""

import argparse
import json
import subprocess
import sys
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
HOSTILE = Path(__file__).parent / "data" / "hostile"
SECONDS = 180
"""Within which a library must answer for one more metric, with the time to import it."""
ORDINARY = "labels in another order"
"""The kind that every library takes."""
OLD = {
    "recommenders": ["pandas<2", "numpy<1.25", "scikit-learn<1.3"],
    "torchmetrics": ["torch", "lightning-utilities", "packaging", "setuptools<80"],
    "xgboost": ["numpy<1.24", "scipy<1.12"],
}
"""What an old version of a package needs here; it is installed without the packages that it asks for itself."""
STEP = "import sys; from tests.oracles.record_hostile import record; record(sys.argv[1], sys.argv[2])"


def main(presets: Sequence[str], environments: Path) -> None:
    """Record each library in turn."""
    for preset in presets:
        python = environment(preset, environments)
        lines = environments / f"{preset}.jsonl"
        while not run(python, preset, lines):
            print(f"{preset}: goes on after {last_begun(lines)}", flush=True)
        file = HOSTILE / f"{preset}.json"
        file.parent.mkdir(exist_ok=True)
        file.write_text(json.dumps(gathered(lines), separators=(",", ":"), ensure_ascii=False) + "\n")
        print(f"{preset}: {file.stat().st_size // 1000} kB", flush=True)


def environment(preset: str, folder: Path) -> Path:
    """The Python of the library's environment, which is made unless it is there."""
    from rankconv.addons.verification.verify import adapter_of
    from rankconv.presets.folders import VERSION
    from rankconv.presets.preset_registry import preset as find_preset

    adapter, (_, _, version) = adapter_of(find_preset(preset)), preset.partition(VERSION)
    package = adapter.packages[0]
    python = folder / (f"{package}-{version}" if version else package) / "bin" / "python"
    if not python.exists() and not adapter.install.startswith("pip"):
        raise SystemExit(f"{preset}: make {python.parents[1]}, and put the program into its folder bin")
    if not python.exists():
        subprocess.run([sys.executable, "-m", "venv", python.parents[1]], check=True)
        install = [adapter.install.removeprefix("pip install ").split()]
        if version:
            install = [[f"{package}=={version}"]]
        if version and package in OLD:
            install = [["--no-deps", "--ignore-requires-python", *install[0]], OLD[package]]
        for packages in (*install, ["numpy", "pydantic", "pyyaml", "narwhals"]):
            subprocess.run([python, "-m", "pip", "install", "--quiet", "--prefer-binary", *packages], check=True)
    return python


def run(python: Path, preset: str, lines: Path) -> bool:
    """Call the library for what is missing; False where it ended the process or did not return."""
    began = last_begun(lines)
    if began:
        _append(lines, {**began, "refused": {"": "the process ends, or does not return"}})
    paths = {"PYTHONPATH": f"{ROOT / 'src'}:{ROOT}", "PATH": f"{python.parent}:/usr/bin:/bin", "HOME": str(Path.home())}
    with subprocess.Popen([python, "-c", STEP, preset, lines], cwd=ROOT, env=paths) as process:
        size = -1
        while process.poll() is None:
            try:
                process.wait(SECONDS)
            except subprocess.TimeoutExpired:
                before, size = size, lines.stat().st_size if lines.exists() else 0
                if size == before:
                    process.kill()
    if process.returncode and not last_begun(lines):
        raise SystemExit(f"{preset}: the environment does not run, see above")
    return process.returncode == 0


def _append(file: Path, line: Any) -> None:
    with file.open("a") as stream:
        stream.write(json.dumps(line, ensure_ascii=False) + "\n")


def _lines(file: Path) -> Iterator[dict[str, Any]]:
    if file.exists():
        yield from map(json.loads, file.read_text().splitlines())


def last_begun(file: Path) -> dict[str, str]:
    """The case and metric that were begun last and have no result; empty where all have one."""
    begun: dict[str, str] = {}
    for line in _lines(file):
        begun = line.get("begin", {})
    return begun


def record(preset: str, file: str) -> None:
    """In the environment of the library: call it for each case and metric that have no result yet."""
    from rankconv.addons.verification.comparing import called, everything
    from rankconv.addons.verification.hostile import KINDS
    from rankconv.addons.verification.verify import adapter_of
    from rankconv.presets.preset_registry import preset as find_preset
    from tests.oracles.hostile import cases_of

    chosen, lines = find_preset(preset), Path(file)
    adapter = adapter_of(chosen)
    package, version = adapter.installed() or ("", "")
    done = {(line.get("case"), line.get("spec")) for line in _lines(lines)}
    kinds = {name: one.need.otherwise for name, one in KINDS.items() if not one.need.met(adapter.takes)}
    _append(lines, {"preset": preset, "package": package, "version": version, "not given": kinds})
    for case in cases_of(chosen):
        calls = [call for call in everything(adapter, chosen) if (case.name, call.spec) not in done]
        if case.kind in kinds or not calls:
            continue
        about = {"case": case.name, "spec": calls[0].spec}
        _append(lines, {"begin": about})
        given, failed = called(lambda case=case: adapter().given(case.users))
        for call in calls:
            about = {"case": case.name, "spec": call.spec}
            _append(lines, {"begin": about})
            answer = (given, failed)
            if not failed:
                answer = called(lambda call=call, given=given: adapter().ask(given, call.call, call.k))
            _append(lines, {**about, **as_data(*answer)})


def as_data(theirs: Any, refused: Any) -> dict[str, Any]:
    """An answer of a library: a mean, values by user, refusals, or why it was not asked."""
    from rankconv.addons.verification.adapter import LibraryResult, NotGiven

    if isinstance(refused, NotGiven):
        return {"not given": str(refused)}
    found = refused or (theirs if isinstance(theirs, LibraryResult) else LibraryResult(float(theirs)))
    values = {user: rounded(value) for user, value in found.per_user.items()}
    told = {
        "mean": rounded(found.mean),
        "per_user": values,
        "refused": {u: why[:60] for u, why in found.refused.items()},
    }
    return {name: value for name, value in told.items() if value not in (None, {})}


def rounded(value: float | None) -> float | str | None:
    """A number to 12 digits, finer than it is compared; text where JSON has no number."""
    if value is None or value - value != 0:
        return None if value is None else str(float(value))
    short = float(f"{value:.12g}")
    return int(short) if short == int(short) else short


def gathered(lines: Path) -> dict[str, Any]:
    """What the project keeps: results by case and metric."""
    results: dict[str, dict[str, Any]] = {}
    about: dict[str, Any] = {}
    for line in _lines(lines):
        if "preset" in line:
            about = line
        elif "case" in line:
            results.setdefault(line.pop("case"), {})[line.pop("spec")] = line
    ordinary = [one for case, found in results.items() if case.startswith(ORDINARY) for one in found.values()]
    if not any("mean" in one for one in ordinary):
        raise SystemExit(
            f"{lines}: nothing but refusals of ordinary data, {ordinary[:1]}: the library does not run here"
        )
    return {**about, "recorded": datetime.now(UTC).date().isoformat(), "results": results}


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("presets", nargs="+")
    parser.add_argument("--environments", type=Path, default=Path("environments"))
    told = parser.parse_args()
    main(told.presets, told.environments.absolute())
