"""Several processes give the bits of one evaluation."""

import subprocess
import sys
from pathlib import Path

import polars as pl

import rankconv as rc

EXAMPLE = Path(__file__).parents[2] / "examples/distributed/processes.py"


def test_processes_give_the_bits_of_one_evaluation(tmp_path: Path) -> None:
    rows = {"labels": [(f"u{n % 9}", f"i{n * 3 % 8}") for n in range(30)]}
    rows["run"] = [(f"u{n % 9}", f"i{n * 5 % 9}") for n in range(40)]
    sides = {name: pl.DataFrame(given, ["user", "item"], orient="row") for name, given in rows.items()}
    for name, side in sides.items():
        for part in range(3):
            mine = pl.col("user").str.slice(1).cast(pl.Int64) % 3 == part
            side.filter(mine).unique(maintain_order=True).write_csv(tmp_path / f"{name}-{part}.csv")
    code = f"import sys; sys.path.insert(0, {str(EXAMPLE.parent)!r})\n"
    code += "import processes, pathlib\n"
    code += "if __name__ == '__main__':\n"
    code += "    found = processes.main(pathlib.Path(sys.argv[1]))\n"
    code += "    print(*(float(number).hex() for number in dict(found).values()))\n"
    (tmp_path / "ask.py").write_text(code)
    done = subprocess.run(
        [sys.executable, tmp_path / "ask.py", tmp_path], capture_output=True, text=True, check=True, timeout=300
    )
    whole = rc.evaluate(*(side.unique(maintain_order=True) for side in sides.values()), ["ndcg@3", "map@3"], "mllib")
    assert done.stdout.split() == [float(number).hex() for number in dict(whole).values()]
