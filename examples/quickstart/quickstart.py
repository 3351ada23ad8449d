"""Change three conventions one by one: the values change, the data do not.

    python examples/quickstart/quickstart.py

The five users are those of C. Bellei, "The confusion over information retrieval metrics in Recommender Systems",
2017, and the preset `blog` holds the settings of that post. For data of your own, the folder has the same six users
as CSV and as TREC files, with tied scores, a user without a list (eli) and one without labels (fay):

    rankconv evaluate examples/quickstart/labels.csv examples/quickstart/run.csv -m ndcg@3 -m map@3
    rankconv evaluate examples/quickstart/qrels.trec examples/quickstart/run.trec -m ndcg@3 -p trec_eval-c
    rankconv compare examples/quickstart/labels.csv examples/quickstart/run.csv -m ndcg@3 -m mrr
"""

import rankconv as rc

LABELS: dict[int, list[int]] = {1: [1, 2, 3, 4, 5, 6], 2: [2, 4, 6], 3: [2, 4, 6], 4: [], 5: []}
RUN: dict[int, list[int]] = {1: [1, 6, 8], 2: [1, 2, 3, 4, 5], 3: [], 4: [1, 2, 3, 4], 5: []}
CUTOFFS = "@1,3,5"

blog = rc.preset("blog")


def main() -> None:
    """Turn each switch and print what comes out."""
    print(f"{'The five users of Bellei 2017':<37}     @1     @3     @5   spec")
    what_divides_average_precision()
    which_list_is_ideal()
    which_logarithm_discounts()
    what_users_without_labels_count()


def what_divides_average_precision() -> None:
    """One setting in a spec, where a single number is wanted."""
    print("\n1. By what is average precision divided?")
    show("the hits among the first k", blog, "map")
    show("min(k, length of the list)", blog, "map(ap-denominator=min(k, length))")
    show("all labels of the user", blog, "map(ap-denominator=relevant)")


def which_list_is_ideal() -> None:
    """A changed copy of the preset, where all that follows shall have the setting."""
    print("\n2. With which ideal list does NDCG compare?")
    show("the returned items, best first", blog, "ndcg")
    show("all labels, best first", blog.replace(ideal="all-labels"), "ndcg")


def which_logarithm_discounts() -> None:
    """The base cancels in a ratio and stays in a sum."""
    print("\n   By which logarithm is a rank discounted?")
    for metric in ("ndcg", "dcg"):
        show(f"{metric.upper()}, base e", blog, metric)
        show(f"{metric.upper()}, base 2", blog.replace(discount="log(base=2)"), metric)


def what_users_without_labels_count() -> None:
    """Users 4 and 5 have no labels: they leave the mean, or enter it as zero."""
    print("\n3. What is the precision of a user without labels?")
    zero = blog.replace(on_no_relevant=0)
    show("NaN, left out of the mean", blog, "precision")
    show("0, which enters the mean", zero, "precision")
    print("\n   precision@3 of each user")
    for preset in (blog, zero):
        result = rc.evaluate(LABELS, RUN, "precision@3", preset)
        values = "".join(f"{value:7.3f}" for value in result.per_user["precision@3"])
        counts = ", ".join(f"{count} {state}" for state, count in result.counts["precision@3"].items())
        print(f"  {values}   {counts}")


def show(setting: str, preset: rc.Preset, metric: str) -> None:
    """One line: the setting in words, the mean at each cutoff, its spec."""
    result = rc.evaluate(LABELS, RUN, metric + CUTOFFS, preset)
    means = "".join(f"{result[spec]:7.3f}" for spec in result)
    print(f"   {setting:<34}{means}   {preset.name}:{metric}")


if __name__ == "__main__":
    main()
