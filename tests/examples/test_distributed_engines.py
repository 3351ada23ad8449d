"""Other engines give the bits of one evaluation; each where its library is installed."""

import importlib.util
import subprocess
import sys
from pathlib import Path

import polars as pl
import pytest

import rankconv as rc

FOLDER = Path(__file__).parents[2] / "examples/distributed"
SPECS = ["ndcg@3", "map@3"]
ASK = {
    "ray": """
import os, polars as pl, ray, with_ray
os.environ["PYTHONPATH"] = sys.path[0]
ray.init(num_cpus=2, include_dashboard=False)
found = dict(with_ray.main(*(ray.data.from_arrow(pl.read_parquet(path).to_arrow()) for path in sys.argv[1:3])))
""",
    "dask": """
import dask.dataframe as dd, with_dask
found = dict(with_dask.main(*(dd.read_parquet(path) for path in sys.argv[1:3])))
""",
    "apache_beam": """
import apache_beam as beam, polars as pl, pathlib, with_beam
out = pathlib.Path(sys.argv[1]).parent / "beam.txt"
def users(path):
    return pl.read_parquet(path).group_by("user", maintain_order=True).agg("item").rows()
with beam.Pipeline() as pipeline:
    sides = [pipeline | path >> beam.Create(users(path)) for path in sys.argv[1:3]]
    _ = with_beam.numbers_of(*sides) | beam.Map(lambda row: out.write_text(" ".join(map(float.hex, row.values()))))
print(out.read_text())
sys.exit()
""",
    "torch": """
import os, polars as pl, torch.distributed as dist, torch.multiprocessing as mp, with_torch
def rank(number, paths):
    os.environ |= {"MASTER_ADDR": "127.0.0.1", "MASTER_PORT": "29417"}
    dist.init_process_group("gloo", rank=number, world_size=2)
    sides = [dict(pl.read_parquet(p).group_by("user", maintain_order=True).agg("item").rows()) for p in paths]
    found = with_torch.main({u: (sides[0].get(u, []), sides[1].get(u, [])) for u in sides[1]})
    if number == 0:
        print(*(float(number).hex() for number in dict(found).values()))
    dist.destroy_process_group()
if __name__ == "__main__":
    mp.spawn(rank, (sys.argv[1:3],), nprocs=2)
    sys.exit()
found = {}
""",
}


@pytest.mark.parametrize("library", ASK)
def test_an_engine_gives_the_bits_of_one_evaluation(library: str, tmp_path: Path) -> None:
    if importlib.util.find_spec(library) is None:
        pytest.skip(f"{library} is not installed")
    labels = pl.DataFrame([(n % 19, n * 3 % 8) for n in range(70)], ["user", "item"], orient="row")
    run = pl.DataFrame([(n % 19, n * 5 % 9) for n in range(90)], ["user", "item"], orient="row")
    sides = [side.unique(maintain_order=True) for side in (labels, run)]
    sides = [sides[0].with_columns(grade=1.0), sides[1].with_columns(rank=pl.int_range(pl.len()).over("user") + 1.0)]
    paths = [tmp_path / "labels.parquet", tmp_path / "run.parquet"]
    for side, path in zip(sides, paths, strict=True):
        side.write_parquet(path)
    (tmp_path / "ask.py").write_text(
        f"import sys\nsys.path.insert(0, {str(FOLDER)!r})\n{ASK[library]}\n"
        "print(*(float(number).hex() for number in found.values()))\n"
    )
    done = subprocess.run(
        [sys.executable, tmp_path / "ask.py", *paths], capture_output=True, text=True, timeout=300, check=False
    )
    assert not done.returncode, done.stderr[-2000:]
    expected = rc.evaluate(*sides, SPECS, "mllib")
    assert done.stdout.split()[-2:] == [float(number).hex() for number in dict(expected).values()]
