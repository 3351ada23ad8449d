"""`rankconv similarity`: how similar the rankings of two runs are."""

from rankconv.cli import options as o
from rankconv.cli.data import Data, at_cutoffs, data_options
from rankconv.cli.printing import print_result, print_table


@data_options("")
def similarity(
    a: o.RunFile,
    b: o.OtherRunFile,
    data: Data,
    metric: o.Metrics = [],
    k: o.Cutoffs = "",
    form: o.Form = o.Format.text,
    digits: o.Digits = 4,
    per_user: o.PerUser = False,
) -> None:
    """Compute how similar the rankings of two runs are: rbo(p=0.9), kendall, overlap@10."""
    import rankconv as rc
    from rankconv.analysis.similarity.similarity import USUAL

    found = rc.similarity(data.run(a), data.run(b), at_cutoffs(metric or USUAL, k))
    if per_user:
        print_table(found.user_table(digits, mean=form == o.Format.text), form)
    else:
        print_result(found, form, digits)
