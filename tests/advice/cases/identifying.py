"""Numbers and tables whose definitions are looked for."""

from math import log

from tests.advice.case import Case, Follow

_DATA = """
from rankconv.analysis.identify.identify import check_numbers
from rankconv.analysis.identify.printed_table import read_table
from rankconv.analysis.identify.printed_value import sought

labels, run = {'u': ['a'], 'v': ['a']}, {'u': ['b', 'a'], 'v': ['a', 'b']}

def first(metric=None, value=None):
    '''What the first definition gives that is found.'''
    return rc.identify(labels, run, metric, value).rows[0].value

def given(table, runs=None):
    '''What the first number of a table is by the definition that gives it.'''
    return rc.identify_table(table, labels, runs or rc.Runs(one=run)).to_dict()['rows'][0]['value']
"""
_FILES: dict[str, str | bytes] = {
    "labels.csv": "user,item\nu,a\nv,a\n",
    "run.csv": "user,item,score\nu,b,2\nu,a,1\nv,a,2\nv,b,1\n",
    "table.csv": "run,set_P\none,0.5\n",
}
_ONE = {"one.csv": _FILES["run.csv"]}
_SHAPES = (
    Follow("Pass a path", "read_table('table.csv')[0].number.values[0]", 0.5),
    Follow("rows of (run, metric, value)", "read_table([('one', 'set_P', '0.5')])[0].number.values[0]", 0.5),
    Follow(
        "{run: {metric: value}}",
        "read_table(§)[0].number.values[0]",
        0.5,
        {"{run": "{'one'", "{metric: value}": "{'set_P': '0.5'}"},
    ),
)
_FORMS = (
    Follow(
        "--value 0.4127 with -m ndcg@10",
        "rankconv identify labels.csv run.csv §",
        0.75,
        {"0.4127 with": "0.75", "ndcg@10": "mrr@2"},
    ),
    Follow(
        "--value ndcg@10=0.4127",
        "rankconv identify labels.csv run.csv §",
        0.75,
        {"ndcg@10=0.4127": "mrr@2=0.75"},
    ),
)
_PLACES = "Write run, metric, value and place in each row"


def _case(cause: str, *follows: Follow) -> Case:
    return Case(cause, follows, given="" if cause.startswith("rankconv ") else _DATA, files=_FILES)


def _number(text: str, *follows: Follow) -> Case:
    return _case(f"first('mrr@2', '{text}')", *follows)


CASES = (
    Case(
        "rc.identify(labels, run, 'set_P', '0.5', tolerance='1')",
        (
            Follow("It is 0", "rc.identify(labels, run, 'set_P', '0.5', tolerance=0).rows[0].value", 0.5),
            Follow(
                "or 1 in the last digit", "rc.identify(labels, run, 'set_P', '0.6', tolerance=1).rows[0].value", 0.5
            ),
        ),
        given=_DATA,
    ),
    # numbers
    _number(
        "abc",
        Follow("0.94", "sought('§').values[0]", 0.94),
        Follow("1/3", "sought('§').values[0]", 1 / 3),
        Follow("83.3%", "sought('§').values[0]", 0.833),
        Follow("0.33…", "sought('§').values[0]", 0.33),
        Follow("1/ln(3) + 1/ln(5)", "sought('§').values[1]", (1 / log(3) + 1 / log(5)) / 100),
        Follow("a sum", "first('mrr@2', '1/2 + 1/4')", 0.75),
    ),
    _number("0,75", Follow("0.75", "first('mrr@2', '§')", 0.75)),
    _number("75,0", Follow("75.0", "first('mrr@2', '§')", 0.75)),
    _number("75,0%", Follow("75.0%", "first('mrr@2', '§')", 0.75)),
    _number("0,75…", Follow("0.75…", "first('mrr@2', '§')", 0.75)),
    _number("NaN", Follow("Give the number that was printed", "first('mrr@2', '0.75')", 0.75)),
    _number("1,234", Follow("Write the one that was printed, without a comma", "sought('1.234').values[0]", 1.234)),
    _number("1e30", Follow("such as 0.4127", "first('mrr@2', '0.75')", 0.75)),
    # metrics, and the number of each
    _case("rankconv identify labels.csv run.csv --value 'mrr(ties=expected=0.75'", *_FORMS),
    _case(
        "rankconv identify labels.csv run.csv --value 0.75",
        Follow("-m any", "rankconv identify labels.csv run.csv § --value 0.75", 0.75),
    ),
    _case(
        "rankconv identify labels.csv run.csv -m mrr@2 --value 0.75 --value 0.5",
        Follow(
            "--value ndcg@10=0.4127 --value map=0.23",
            "rankconv identify labels.csv run.csv §",
            0.75,
            {"ndcg@10=0.4127": "mrr@2=0.75", "map=0.23": "map@2=0.75"},
        ),
    ),
    _case(
        "first('mrr@2')",
        Follow(
            'identify(labels, run, "ndcg@10", "0.4127")',
            "rc.§.rows[0].value",
            0.75,
            {"ndcg@10": "mrr@2", "0.4127": "0.75"},
        ),
    ),
    _case(
        "rankconv identify labels.csv run.csv -m mrr@2",
        Follow(
            "-m ndcg@10 --value 0.4127",
            "rankconv identify labels.csv run.csv §",
            0.75,
            {"ndcg@10": "mrr@2", "0.4127": "0.75"},
        ),
    ),
    _case(
        "first({'any': '0.75', 'mrr@2': '0.75'})",
        Follow("Give it alone", "float([*check_numbers({'any': '0.75'}, 0)] == ['any'])", 1.0),
    ),
    _case("first('mllib:map@2', '0.75')", Follow("leave the prefix out", "first('map@2', '0.75')", 0.75)),
    _case(
        "first('set_P@1,2', '0.5')",
        Follow(
            "Give each number with its own metric",
            "rc.identify(labels, run, {'set_P': '0.5', 'precision@2': '0.5'}).to_dict()['rows'][0]['values']['set_P']",
            0.5,
        ),
    ),
    # tables
    _case(
        "given({'one': {'set_P': 0.5}})",
        Follow("'0.50'", "read_table({'one': {'set_P': §}})[0].number.values[0]", 0.5),
    ),
    _case(
        "given([('one', 'mrr', '0.5'), ('one', 'mrr', '0.75')])",
        Follow(
            _PLACES,
            "float(len(read_table([('one', 'mrr', '0.5', 'table 1'), ('one', 'mrr', '0.75', 'table 2')])))",
            2.0,
        ),
    ),
    Case(
        "read_table('table.csv')",
        (
            Follow(
                _PLACES,
                "float(len(read_table('table.csv')))",
                2.0,
                files={"table.csv": "run,metric,value,place\none,mrr,0.5,table 1\none,mrr,0.75,table 2\n"},
            ),
        ),
        given=_DATA,
        files={"table.csv": "run,mrr\none,0.5\none,0.75\n"},
    ),
    _case("given({})", *_SHAPES),
    _case("given([])", *_SHAPES),
    _case("given(5)", *_SHAPES),
    _case("given({'one': '0.5'})", _SHAPES[2]),
    Case(
        "read_table('table.csv')",
        (
            Follow(
                "columns run, metric, value",
                "read_table('table.csv')[0].number.values[0]",
                0.5,
                files={"table.csv": "run,metric,value\none,mrr,0.5\n"},
            ),
            Follow(
                "a column for each metric",
                "read_table('table.csv')[0].number.values[0]",
                0.5,
                files={"table.csv": "run,mrr\none,0.5\n"},
            ),
        ),
        given=_DATA,
        files={"table.csv": "one,0.5\n"},
    ),
    Case(
        "read_table('table.csv')",
        (
            Follow(
                "Save the table as CSV in UTF-8",
                "float(read_table('table.csv')[0].run == 'modèle')",
                1.0,
                files={"table.csv": "run,mrr\nmodèle,0.5\n"},
            ),
        ),
        given=_DATA,
        files={"table.csv": "run,mrr\nmodèle,0.5\n".encode("latin-1")},
    ),
    _case(
        "given({'one': {'set_P': '0.5'}}, run)",
        Follow("rc.Runs(name=run, …)", "given({'one': {'set_P': '0.5'}}, §)", 0.5, {"name": "one", ", …": ""}),
    ),
    _case(
        "given({'one': {'set_P': '0.5'}}, rc.Runs(ones=run))",
        Follow("rc.Runs(name=run, …)", "given({'one': {'set_P': '0.5'}}, §)", 0.5, {"name": "one", ", …": ""}),
    ),
    _case(
        "rankconv identify labels.csv run.csv --table table.csv",
        Follow(
            "Give each run as a file of the name that the table has",
            "rankconv identify labels.csv one.csv --table table.csv",
            0.5,
            files=_ONE,
        ),
    ),
)
