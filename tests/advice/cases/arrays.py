"""Arrays, matrices and sparse matrices."""

from tests.advice.case import Case, Follow

_TOP = "labels = {0: {0: 1}}; "

CASES = (
    # masked
    Case(
        "ev({0: [1]}, run)",
        (Follow("array.filled(-1)", "ev({0: [1]}, §)", 0.5),),
        given="array = run = np.ma.masked_equal(np.array([[0, 1, -1]]), -1)",
    ),
    Case(
        "ev(np.array([[0., 1.]]), run)",
        (
            Follow("array.filled(-numpy.inf)", "ev(np.array([[0., 1.]]), §)", 1.0),
            Follow(
                "array.filled(numpy.nan)",
                "ev(np.ma.masked_equal(np.array([[9., 1.]]), 9.).filled(np.nan), np.array([[2., 1.]]))",
                0.5,
            ),
        ),
        given="array = run = np.ma.masked_equal(np.array([[9., 1.]]), 9.)",
    ),
    # a Series
    Case(
        "ev({'u': {5: 1}}, {'u': series})",
        (
            Follow("series.tolist()", "ev({'u': {5: 1}}, {'u': §})", 0.5),
            Follow("series.to_dict()", "ev({'u': {'b': 1}}, {'u': §})", 1.0),
        ),
        given="import pandas; series = pandas.Series([4, 5], index=['a', 'b'])",
    ),
    # fields and dimensions
    Case(
        "ev({'u': ['b']}, array)",
        (Follow("pandas.DataFrame(array)", "ev({'u': ['b']}, §)", 0.5),),
        given="import pandas; array = np.array([('u', 'a', 2.), ('u', 'b', 1.)], "
        "[('user', 'U1'), ('item', 'U1'), ('score', float)])",
    ),
    Case(
        "ev(np.array([[0., 1.]]), array)",
        (
            Follow("array[None]", "ev(np.array([[0., 1.]]), §)", 0.5),
            Follow("rc.grouped(y_true, y_score, group=…)", "ev(§)", 0.5, fill={"…": "[2]"}),
        ),
        given="array = y_score = np.array([2., 1.]); y_true = np.array([0., 1.])",
    ),
    Case(
        "ev(np.array([[0., 1.]]), array)",
        (Follow("one row per user and its items in the columns", "ev(np.array([[0., 1.]]), array[0])", 0.5),),
        given="array = np.array([[[2., 1.]]])",
    ),
    Case(
        "ev(array, np.array([[2., 1.]]))",
        (
            Follow("array[None]", "ev(§, np.array([[2., 1.]]))", 0.5),
            Follow("array[:, None]", "ev(§, np.array([[2., 1.]]))", 0.5),
            Follow("rc.grouped(y_true, y_score, group=…)", "ev(§)", 0.5, fill={"…": "[2]"}),
        ),
        given="array = np.array([1]); y_true, y_score = np.array([0., 1.]), np.array([2., 1.])",
    ),
    Case(
        "ev([['b']], array)",
        (Follow("array.tolist()", "ev([['b'], ['c']], §)", 0.75),),
        given="array = np.empty(2, object); array[:] = [['a', 'b'], ['c']]",
    ),
    Case(
        "ev([[1]], tensor)",
        (Follow("tensor.unbind()", "ev([[1]], §)", 0.5),),
        given="from types import SimpleNamespace; "
        "tensor = SimpleNamespace(is_nested=True, unbind=lambda: (np.array([0, 1]),))",
    ),
    Case(
        "ev([['b']], array)",
        (Follow("array.tolist()", "ev([['b']], §)", 0.5),),
        given="array = np.array([['a', 'b']])",
    ),
    # scores
    Case(
        "ev(np.array([[0., 1.]]), scores)",
        (Follow("numpy.nan_to_num(scores, nan=-numpy.inf)", "ev(np.array([[0., 1.]]), §)", 1.0),),
        given="scores = np.array([[np.nan, 1.]])",
    ),
    Case(
        "ev(np.ones((2, 2)), np.full((2, 2), -np.inf))",
        (Follow("Check the mask", "ev(np.ones((2, 2)), np.ones((2, 2)))", 1.0),),
    ),
    Case(
        "ev({0: [1]}, np.array([[-1, 1]]))",
        (Follow("Move -1 to the end of the row", "ev({0: [1]}, np.array([[1, -1]]))", 1.0),),
    ),
    # pairs
    Case(
        "ev({0: [1]}, (ids, scores))",
        (
            Follow("rc.Run((ids, numpy.asarray(scores, float)))", "ev({0: [1]}, §)", 0.5),
            Follow("rc.Run(ids)", "ev({0: [1]}, §)", 0.5),
        ),
        given="ids = np.array([[0, 1]]); scores = np.array([[9, 8]])",
    ),
    Case(
        "rc.Labels((ids, np.ones((1, 1))))",
        (Follow("rc.Labels(ids)", "ev(§, {0: [2, 1]})", 0.5),),
        given="ids = np.array([[1]])",
    ),
    # sparse
    Case(
        "ev({0: {1: 1}}, matrix)",
        (Follow("matrix.tocsr()", "ev({0: {1: 1}}, §)", 0.5),),
        given="from scipy import sparse; matrix = sparse.lil_matrix(np.array([[2., 1.]]))",
    ),
    Case(
        "ev({0: {1: 1}}, matrix)",
        (Follow("users in rows and items in columns", "ev({0: {1: 1}}, matrix.reshape((1, 2)))", 0.5),),
        given="from scipy import sparse; matrix = sparse.coo_array(np.array([2., 1.]))",
    ),
    Case(
        "ev({0: {1: 1}}, matrix)",
        (Follow("Scores are numbers", "ev({0: {1: 1}}, matrix.astype(float))", 1.0),),
        given="from scipy import sparse; matrix = sparse.csr_array(np.array([[False, True]]))",
    ),
    # flat arrays
    Case("rc.grouped([1], [1, 2])", (Follow("Give each row both", "ev(rc.grouped([0, 1], [1, 2]))", 1.0),)),
    Case(
        "rc.grouped(labels, scores)",
        (
            Follow(
                "Pass arrays of users by items as rc.Labels(…) and rc.Run(…)",
                "ev(rc.Labels(labels), rc.Run(scores))",
                0.5,
            ),
        ),
        given="labels = np.array([[0., 1.]]); scores = np.array([[2., 1.]])",
    ),
    Case(
        "rc.grouped([0, 1], [2, 1], group=[2], query_id=['q', 'q'])",
        (Follow("Leave one of them out", "ev(rc.grouped([0, 1], [2, 1], query_id=['q', 'q']))", 0.5),),
    ),
    Case(
        "rc.grouped([0, 1, 1], [2, 1, 1], group=[2])",
        (
            Follow("the number of rows of each query", "ev(rc.grouped([0, 1, 1], [2, 1, 1], group=[2, 1]))", 0.75),
            Follow("query_id=", "ev(rc.grouped([0, 1, 1], [2, 1, 1], §['q', 'q', 'r']))", 0.75),
        ),
    ),
    Case(
        "rc.grouped([0, 1], [2, 1], query_id=['q'])",
        (Follow("Give each row its query", "ev(rc.grouped([0, 1], [2, 1], query_id=['q', 'q']))", 0.5),),
    ),
)
