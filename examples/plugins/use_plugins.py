"""The ways to add to rankconv, all used from Python: what this folder holds, on the data of the quickstart.

    python examples/plugins/use_plugins.py

The command line takes the same things:

    L=examples/quickstart/labels.csv R=examples/quickstart/run.csv
    rankconv evaluate $L $R -m first_click@1 --plugin examples/plugins/hits_at_top.py
    rankconv evaluate $L $R -m "ndcg(gain=square)@3" --plugin examples/plugins/square_gain.py
    rankconv evaluate $L $R -m "mrr(adverts=removed)" --plugin examples/plugins/adverts.py
    rankconv evaluate $L $R -m "recall(single-label=skip)@3" --plugin examples/plugins/single_label.py
    rankconv evaluate $L $R -m "recall(short-lists-only=nan)@3" --plugin examples/plugins/short_lists.py
    rankconv evaluate $L $R -m precision@3 -p examples/plugins/my_shop.yaml
    RANKCONV_PRESETS=examples/plugins/presets rankconv evaluate $L $R -m precision -p newsletter
    pip install examples/plugins/packaged
    rankconv evaluate $L $R -m hit_on_top -p bookshop
    rankconv shelf $R -k 1 --plugin examples/plugins/shelf.py
"""

import os
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory

import rankconv as rc

HERE = Path(__file__).parent
DATA = HERE.parent / "quickstart"


def main() -> None:
    """Each way, and a number that it makes possible."""
    a_metric_in_a_file()
    an_setting_in_a_file()
    a_step_in_a_file()
    a_policy_in_a_file()
    a_policy_for_all_data_in_a_file()
    a_format_in_a_file()
    a_preset_in_a_file()
    a_preset_in_a_folder()
    a_package()


def a_metric_in_a_file() -> None:
    """The class registers itself when the file runs; its convention can be answered in a spec."""
    rc.load_plugin(HERE / "hits_at_top.py")
    print("A metric in a file")
    show("first_click@1")
    show("first_click(click-chance=0.9)@1")


def an_setting_in_a_file() -> None:
    """The decorator adds to the table of gains, next to the built-in ones."""
    rc.load_plugin(HERE / "square_gain.py")
    print(f"A setting in a file: a gain is now one of {', '.join(rc.convention('gain').names)}")
    for gain in ("linear", "square", "exponential"):
        show(f"ndcg(gain={gain})@3")


def a_step_in_a_file() -> None:
    """A convention of preparation that no preset states, so that all of them leave it neutral."""
    rc.load_plugin(HERE / "adverts.py")
    print("A step of preparation in a file")
    show("mrr")
    show("mrr(adverts=removed)")


def a_policy_in_a_file() -> None:
    """Users who have not been looked up so far."""
    rc.load_plugin(HERE / "single_label.py")
    print("A policy for users in a file")
    show("recall(single-label=skip)@3")


def a_policy_for_all_data_in_a_file() -> None:
    """Of the data as a whole: one list of the quickstart has five rows, so that the formula decides."""
    rc.load_plugin(HERE / "short_lists.py")
    print("A policy for the data as a whole in a file")
    show("recall(short-lists-only=0.25)@3")


def a_format_in_a_file() -> None:
    """Wherever labels or rankings are taken, files of this kind are read."""
    rc.load_plugin(HERE / "baskets.py")
    with TemporaryDirectory() as folder:
        run = Path(folder) / "run.basket"
        run.write_text("ann: soup, pie\nbob: pie\n", "utf-8")
        print(f"An input format in a file: {rc.Run(run)}")


def a_preset_in_a_file() -> None:
    """By its path, wherever a name is taken."""
    my_shop = rc.preset(str(HERE / "my_shop.yaml"))
    print(f"A preset in a file: {my_shop.title}")
    for preset in (rc.preset("mllib"), my_shop):
        show("precision@3", preset)


def a_preset_in_a_folder() -> None:
    """By its name, once the environment names the folder; usually a shell profile does that."""
    os.environ["RANKCONV_PRESETS"] = str(HERE / "presets")
    newsletter = rc.preset("newsletter")
    print(f"A preset in a folder: {newsletter.title}")
    show("precision", newsletter)


def a_package() -> None:
    """By its name too: an installed package is found by its entry points, without any import."""
    if find_spec("bookshop_metrics") is None:
        print("A package: not installed here, try  pip install examples/plugins/packaged")
        return
    bookshop = rc.preset("bookshop")
    print(f"A package with a preset and a metric: {bookshop.title}")
    show("hit_on_top", bookshop)


def show(spec: str, preset: rc.Preset | None = None) -> None:
    """One number, and the definition that gave it."""
    result = rc.evaluate(DATA / "labels.csv", DATA / "run.csv", spec, preset)
    print(f"   {result[spec]:.4f}   {result.definition(spec).text}")


if __name__ == "__main__":
    main()
