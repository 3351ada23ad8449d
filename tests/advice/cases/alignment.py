"""Users and items of two tables: rows and columns against names, types of ids, grades against scores."""

from tests.advice.case import Case, Follow

_MATRIX = "run = np.array([[2., 1.]]); "
_B = "{'u': ['b']}"
_EXCHANGED = "Are the labels and the rankings exchanged? Labels come first"

_INTERVAL = '''
import pandas
frame = pandas.DataFrame({'uid': [*'uvw'], 'given': ['1'] * 3, 'item': ['a'] * 3, 'score': [1.] * 3})

def interval(cluster, run=None):
    """The middle of the interval of the mean of 1, 1/2 and 1/3, which is the mean."""
    run = run or rc.Run({user: ['a'] for user in 'uvw'})
    labels = {user: {'a': 1, **{item: 1 for item in 'bcd'[:at]}} for at, user in enumerate(run.users.values.tolist())}
    found = rc.evaluate(labels, run, 'recall@1')['recall@1'].interval(0.5, how='t', cluster=cluster)
    return (found.low + found.high) / 2
'''

CASES = (
    # places
    Case(
        f"ev({_B}, run)",
        (
            Follow(
                "rc.Run(run, user_ids=…, item_ids=…)",
                f"ev({_B}, §)",
                0.5,
                {"user_ids=…": "user_ids=['u']", "item_ids=…": "item_ids=['a', 'b']"},
            ),
        ),
        given=_MATRIX,
    ),
    Case(
        "rankconv evaluate labels.csv run.json -m mrr",
        (
            Follow(
                '{"u": …} in place of lists in turn',
                "rankconv evaluate labels.csv run.json -m mrr",
                0.5,
                files={"run.json": '{"u": ["a", "b"]}'},
            ),
        ),
        files={"labels.csv": "user,item\nu,b\n", "run.json": '[["a", "b"]]'},
    ),
    Case(
        "ev({0: [5]}, run)",
        (
            Follow("Number items by columns", "ev({0: [1]}, run)", 0.5),
            Follow(
                "rc.Run(run, user_ids=…, item_ids=…)",
                "ev({0: [5]}, §)",
                0.5,
                {"user_ids=…": "user_ids=[0]", "item_ids=…": "item_ids=[4, 5]"},
            ),
        ),
        given=_MATRIX,
    ),
    Case(
        "ev(np.array([[0., 1.], [1., 0.]]), run)",
        (
            Follow("Give both the same users and items", "ev(np.array([[0., 1.]]), run)", 0.5),
            Follow(
                "rc.Run(run, user_ids=…)", "ev(np.array([[0., 1.], [1., 0.]]), §)", 0.25, {"user_ids=…": "user_ids=[0]"}
            ),
        ),
        given=_MATRIX,
    ),
    Case(
        "ev({1: [1]}, run)",
        (
            Follow("rc.Run(run, user_ids=range(1, 3), item_ids=range(1, 3))", "ev({1: [1]}, §)", 0.5),
            Follow("rc.Run(run, item_ids=range(2))", "ev({1: [1]}, §)", 1.0),
        ),
        given="run = np.array([[1., 2.], [1., 2.]])",
    ),
    Case(
        "ev({0: [2], 3: [1]}, {0: [1, 2], 3: [1]}, 'mrr(exclude=seen)', seen={'x': [1]})",
        (
            Follow(
                "Convert them, so that all have the same type",
                "ev({0: [2], 3: [1]}, {0: [1, 2], 3: [1]}, 'mrr(exclude=seen)', seen={0: [1]})",
                1.0,
            ),
        ),
    ),
    # types and spelling of ids
    Case(
        "ev({1: ['b']}, {'1': ['a', 'b']})",
        (
            Follow("str(user)", "ev({§: ['b'] for user in [1]}, {'1': ['a', 'b']})", 0.5),
            Follow(".astype(str)", "ev({user: ['b'] for user in np.array([1])§.tolist()}, {'1': ['a', 'b']})", 0.5),
            Follow(".cast(str)", "ev({user: ['b'] for user in polars.Series([1])§.to_list()}, {'1': ['a', 'b']})", 0.5),
        ),
        given="import polars",
    ),
    Case(
        "ev(rc.Labels('labels.csv', user=['user', 'day']), 'run.csv')",
        (
            Follow(
                "user=['…', '…']",
                "ev(rc.Labels('labels.csv', §), rc.Run('run.csv', §))",
                0.5,
                {"['…', '…']": "['user', 'day']"},
            ),
        ),
        files={"labels.csv": "user,day,item\nu,1,b\n", "run.csv": "user,day,item,score\nu,1,a,2\nu,1,b,1\n"},
    ),
    Case(
        "rankconv evaluate labels.csv run.csv -m mrr --column labels.user=user,day",
        (Follow("--column user=…,…", "rankconv evaluate labels.csv run.csv -m mrr §", 0.5, {"…,…": "user,day"}),),
        files={"labels.csv": "user,day,item\nu,1,b\n", "run.csv": "user,day,item,score\nu,1,a,2\nu,1,b,1\n"},
    ),
    Case(
        "ev({('u', 1): ['b']}, {('u', '1'): ['a', 'b']})",
        (
            Follow(
                "Convert the parts of both sides to the same types",
                "ev({('u', '1'): ['b']}, {('u', '1'): ['a', 'b']})",
                0.5,
            ),
        ),
    ),
    Case(
        "ev({f'U{n}': ['b'] for n in range(9)}, {f'u{n}': ['a', 'b'] for n in range(9)})",
        (
            Follow(
                "Spell the user ids of both sides the same way",
                "ev({f'u{n}': ['b'] for n in range(9)}, {f'u{n}': ['a', 'b'] for n in range(9)})",
                0.5,
            ),
        ),
    ),
    Case(
        "ev({'u': ['b']}, {'x': ['a', 'b']})",
        (Follow("Check that both name users in the same way", "ev({'u': ['b']}, {'u': ['a', 'b']})", 0.5),),
    ),
    # whole numbers
    Case(
        "ev(labels, run)",
        (
            Follow("numpy.array(labels, float)", "ev(§, run)", 0.5),
            Follow("{user: [ids]}", "ev(§, run)", 1.0, {"user": "0", "[ids]": "[0, 1], 1: [1, 0]"}),
        ),
        given="labels = [[0, 1], [1, 0]]; run = np.array([[2., 1.], [1., 2.]])",
    ),
    Case(
        "ev({0: [1], 1: [0]}, run)",
        (
            Follow("numpy.array(run, float)", "ev({0: [1], 1: [0]}, §)", 0.625),
            Follow("{user: [ids]}", "ev({0: [1], 1: [0]}, §)", 0.75, {"user": "0", "[ids]": "[2, 1], 1: [0, 5]"}),
        ),
        given="run = [[2, 1], [5, 5]]",
    ),
    Case(
        "ev(array, {0: [2, 1]})",
        (
            Follow("numpy.asarray(array, float)", "ev(§, {0: [1, 0]})", 1.0),
            Follow("lists if it was labelled twice", "ev([[1, 1]], {0: [2, 1]})", 0.5),
        ),
        given="array = np.array([[1, 1]])",
    ),
    Case(
        "ev([[1, 0, 1]], [['x', 'y', 'z']])",
        (
            Follow("{user: [items]}", "ev(§, {0: [2, 1, 0]})", 0.5, {"user": "0", "[items]": "[1, 0, 1]"}),
            Follow(
                "rc.grouped(grades, scores, group=sizes)",
                "ev(§)",
                1.0,
                {"grades": "[1, 0, 1]", "scores": "[3, 2, 1]", "sizes": "[3]"},
            ),
        ),
    ),
    Case(
        "ev(np.array([[0., .5]]), run)",
        (
            Follow("Number the items from 0", "ev(np.array([[0., .5]]), np.array([[0, 1]]))", 0.5),
            Follow("numpy.array(run, float)", "ev(np.array([[0., .5]]), §)", 1.0),
        ),
        given="run = [[7, 9]]",
    ),
    # exchanged
    Case(
        "ev(np.array([[0., .5], [.5, 0.]]), run)",
        (
            Follow(_EXCHANGED, "ev(np.array([[1., 0], [0, 1]]), np.array([[0., .5], [.5, 0.]]))", 0.5),
            Follow("numpy.array(run, float)", "ev(np.array([[0., .5], [.5, 0.]]), §)", 0.875),
        ),
        given="run = [[0, 1], [1, 1]]",
    ),
    Case(
        "ev(labels, run)",
        (
            Follow(_EXCHANGED, "ev(run, labels)", 1.0),
            Follow("rc.Labels(labels), rc.Run(run)", "ev(§)", 1.0),
        ),
        given="labels = {'u': {'a': .93, 'b': .41}, 'v': {'a': .17, 'b': .88}}; "
        "run = {'u': {'a': 1, 'b': 0}, 'v': {'a': 0, 'b': 1}}",
    ),
    Case(
        "rankconv evaluate labels.csv run.csv -m mrr",
        (
            Follow(_EXCHANGED, "rankconv evaluate run.csv labels.csv -m mrr", 1.0),
            Follow(
                "in a first line of each file: user,item,grade and user,item,score",
                "rankconv evaluate labels.csv run.csv -m mrr",
                1.0,
                files={
                    "labels.csv": "user,item,grade\nu,a,0.93\nu,b,0.41\n",
                    "run.csv": "user,item,score\nu,a,1\nu,b,0\n",
                },
            ),
        ),
        files={"labels.csv": "u,a,0.93\nu,b,0.41\n", "run.csv": "u,a,1\nu,b,0\n"},
    ),
    # clusters
    Case(
        "interval({'u': 1})",
        (Follow("Name one for every user", "interval({'u': 1, 'v': 2, 'w': 3})", 11 / 18),),
        given=_INTERVAL,
    ),
    Case(
        "interval(1)",
        (
            Follow("user=('uid', 'given')", "interval(1, rc.Run(frame, §))", 11 / 18),
            Follow("a dict from each user to their cluster", "interval({'u': 1, 'v': 2, 'w': 3})", 11 / 18),
        ),
        given=_INTERVAL,
    ),
    Case(
        "interval(3, rc.Run(frame, user=('uid', 'given')))",
        (Follow("A number from 1 to 2", "interval(1, rc.Run(frame, user=('uid', 'given')))", 11 / 18),),
        given=_INTERVAL,
    ),
    Case(
        "interval('uid')",
        (Follow("a dict from each user to their cluster", "interval({'u': 1, 'v': 2, 'w': 3})", 11 / 18),),
        given=_INTERVAL,
    ),
)
