"""Tables: frames, and files of columns."""

from tests.advice.case import Case, Follow

_FRAME = "import pandas as pd; import polars as pl; "
_TWO = "user,item,score\nu,a,2\nu,b,1\n"
"""A run in which b is second."""
_B = "user,item\nu,b\n"
_EVALUATE = "rankconv evaluate labels.csv run.csv -m mrr"


def _files(run: str, labels: str = _B) -> dict[str, str | bytes]:
    return {"labels.csv": labels, "run.csv": run}


CASES = (
    # words in place of grades
    Case(
        "ev('labels.csv', 'run.csv')",
        (
            Follow(
                "or every row a number",
                "ev('labels.csv', 'run.csv')",
                0.5,
                files=_files(_TWO, "user,item,grade\nu,a,0\nu,b,1\nu,c,0\n"),
            ),
        ),
        files=_files(_TWO, "user,item,grade\nu,a,bad\nu,b,good\nu,c,0\n"),
    ),
    Case(
        "ev('labels.csv', 'run.csv')",
        (
            Follow(
                "or every row a number",
                "ev('labels.csv', 'run.csv')",
                0.5,
                files=_files(_TWO, "user,item,grade\nu,a,0\nu,b,1\n"),
            ),
        ),
        patched={"rankconv.data.inputs.row_batches.ROWS": 1},
        files=_files(_TWO, "user,item,grade\nu,a,bad\nu,b,1\n"),
    ),
    Case(
        "ev(rc.Labels([('u', 'g', 'b', 'good')]), 'run.csv')",
        (
            Follow("Give them as numbers", "ev(rc.Labels([('u', 'g', 'b', 1)]), 'run.csv')", 0.5),
            Follow("leave the groups out", "ev(rc.Labels([('u', 'b', 1)]), 'run.csv')", 0.5),
        ),
        files=_files(_TWO),
    ),
    # roles of columns
    Case(
        "ev('labels.csv', 'run.csv', columns={'points': 'score'})",
        (Follow("run.item, labels.user", "ev('labels.csv', 'run.csv', columns={'run.score': 'score'})", 0.5),),
        files=_files(_TWO),
    ),
    Case(
        "ev('labels.csv', rc.Run('run.csv'))",
        (
            Follow("Name the columns in the first line", "ev('labels.csv', 'run.csv')", 0.5, files=_files(_TWO)),
            Follow("user='1', item='2', score='5'", "ev('labels.csv', rc.Run('run.csv', §))", 0.5),
        ),
        files=_files("u,a,x,y,2\nu,b,x,y,1\n"),
    ),
    Case(
        _EVALUATE,
        (
            Follow("Name the columns in the first line", _EVALUATE, 0.5, files=_files(_TWO)),
            Follow("--column run.user=1 --column run.item=2 --column score=5", f"{_EVALUATE} §", 0.5),
        ),
        files=_files("u,a,x,y,2\nu,b,x,y,1\n", "u,b,1\n"),
    ),
    Case(
        "ev('labels.csv', rc.Run('run.csv', score='points'))",
        (Follow("Pass score=", "ev('labels.csv', rc.Run('run.csv', score='score'))", 0.5),),
        files=_files(_TWO),
    ),
    Case(
        f"{_EVALUATE} --column score=points",
        (Follow("--column score=NAME", f"{_EVALUATE} §", 0.5, fill={"NAME": "score"}),),
        files=_files(_TWO),
    ),
    Case(
        f"{_EVALUATE} --column user=usr",
        (Follow("--column labels.user=NAME", f"{_EVALUATE} --column user=usr §", 0.5, fill={"NAME": "user"}),),
        files=_files("usr,item,score\nu,a,2\nu,b,1\n"),
    ),
    Case(
        "rankconv evaluate labels.json run.json -m mrr",
        (
            Follow(
                "--column labels.user=question", "rankconv evaluate labels.json run.json -m mrr §", "run.user=question"
            ),
            Follow("--column user=question", "rankconv evaluate labels.json run.json -m mrr §", 0.5),
        ),
        files={
            "labels.json": '[{"question": "u", "doc_id": "b", "relevance": 1}]',
            "run.json": '[{"question": "u", "doc_id": "a", "score": 2}, {"question": "u", "doc_id": "b", "score": 1}]',
        },
    ),
    # numbers in columns of unusual names
    Case(
        "ev('labels.csv', 'run.csv')",
        (
            Follow("score='fit'", "ev('labels.csv', rc.Run('run.csv', §))", 0.5),
            Follow("rank='fit'", "ev('labels.csv', rc.Run('run.csv', §))", 1.0),
            Follow("score='none'", "ev('labels.csv', rc.Run('run.csv', §))", 0.5),
            Follow("rc.Run(data, score=…)", "ev('labels.csv', §)", 0.5, fill={"data": "'run.csv'", "…": "'fit'"}),
        ),
        files=_files("user,item,fit\nu,a,2\nu,b,1\n"),
    ),
    Case(
        _EVALUATE,
        (
            Follow("--column score=fit", f"{_EVALUATE} §", 0.5),
            Follow("--column rank=fit", f"{_EVALUATE} §", 1.0),
            Follow("--column score=none", f"{_EVALUATE} §", 0.5),
        ),
        files=_files("user,item,fit\nu,a,2\nu,b,1\n"),
    ),
    Case(
        "ev('labels.csv', 'run.csv', 'ndcg')",
        (
            Follow(
                "grade='fit'",
                "ev(rc.Labels('labels.csv', §), 'run.csv', 'ndcg')",
                (1 + 2 / 1.584962500721156) / (2 + 1 / 1.584962500721156),
            ),
            Follow("grade='none'", "ev(rc.Labels('labels.csv', §), 'run.csv', 'ndcg')", 1.0),
            Follow(
                "rc.Labels(data, grade=…)", "ev(§, 'run.csv', 'mrr')", 1.0, fill={"data": "'labels.csv'", "…": "'fit'"}
            ),
        ),
        files=_files(_TWO, "user,item,fit\nu,a,1\nu,b,2\n"),
    ),
    Case(
        "ev('labels.csv', 'run.csv', 'ndcg')",
        (
            Follow("exchanged?", "ev('run.csv', 'labels.csv', 'mrr')", 1.0),
            Follow("grade='score'", "ev(rc.Labels('labels.csv', §), 'labels.csv', 'mrr')", 1.0),
            Follow("grade='none'", "ev(rc.Labels('labels.csv', §), 'labels.csv', 'mrr')", 1.0),
            Follow(
                "rc.Labels(data, grade=…)", "ev(§, 'labels.csv')", 1.0, fill={"data": "'labels.csv'", "…": "'score'"}
            ),
        ),
        files=_files("user,item,grade\nu,a,1\nu,b,1\n", _TWO),
    ),
    # two of usual names
    Case(
        "ev('labels.csv', 'run.csv')",
        (
            Follow("score='score'", "ev('labels.csv', rc.Run('run.csv', §))", 0.5),
            Follow("score='pred'", "ev('labels.csv', rc.Run('run.csv', §))", 1.0),
        ),
        files=_files("user,item,score,pred\nu,a,2,0\nu,b,1,5\n"),
    ),
    Case(
        _EVALUATE,
        (
            Follow("--column score=score", f"{_EVALUATE} §", 0.5),
            Follow("--column score=pred", f"{_EVALUATE} §", 1.0),
        ),
        files=_files("user,item,score,pred\nu,a,2,0\nu,b,1,5\n"),
    ),
    # none of usual names
    Case(
        "ev('labels.csv', 'run.csv')",
        (Follow("user='usr'", "ev('labels.csv', rc.Run('run.csv', §))", 0.5),),
        files=_files("usr,item,score\nu,a,2\nu,b,1\n"),
    ),
    Case(
        "ev('labels.csv', 'run.csv')",
        (Follow("item=…", "ev('labels.csv', rc.Run('run.csv', §))", 0.5, fill={"…": "'what'"}),),
        files=_files("user,what,score\nu,a,2\nu,b,1\n"),
    ),
    Case(
        "ev('labels.csv', frame)",
        (
            Follow("user=…", "ev('labels.csv', rc.Run(frame, §))", 0.5, fill={"…": "'whose'"}),
            Follow(
                "frame.to_numpy() with user_ids=frame.index, item_ids=frame.columns",
                "ev({'u': ['b']}, (lambda frame: rc.Run(§))(wide))",
                0.5,
                fill={"frame.to_numpy() with": "frame.to_numpy(),"},
            ),
        ),
        given=_FRAME + "frame = pd.DataFrame({'whose': ['u', 'u'], 'item': ['a', 'b'], 'score': [2., 1.]}); "
        "wide = pd.DataFrame({'a': [2.], 'b': [1.]}, index=['u'])",
        files=_files(_TWO),
    ),
    Case(
        _EVALUATE,
        (
            Follow("--column run.user=usr", f"{_EVALUATE} §", 0.5),
            Follow("--column user=usr", f"{_EVALUATE} §", 0.5, files={"labels.csv": "usr,item\nu,b\n"}),
        ),
        files=_files("usr,item,score\nu,a,2\nu,b,1\n"),
    ),
    Case(
        _EVALUATE,
        (
            Follow("--column run.item=NAME", f"{_EVALUATE} §", 0.5, fill={"NAME": "what"}),
            Follow("--column item=NAME", f"{_EVALUATE} §", 0.5, {"NAME": "what"}, {"labels.csv": "user,what\nu,b\n"}),
        ),
        files=_files("user,what,score\nu,a,2\nu,b,1\n"),
    ),
    Case(
        "ev('labels.csv', rc.Run('run.csv', score='none'))",
        (
            Follow(
                "Rename the column",
                "ev('labels.csv', rc.Run('run.csv', score='none'))",
                0.5,
                files=_files("user,item,nothing\nu,a,2\nu,b,1\n"),
            ),
        ),
        files=_files("user,item,none\nu,a,2\nu,b,1\n"),
    ),
    # data without columns
    Case(
        "rc.Run({'u': ['a', 'b']}, user='id')",
        (Follow("Leave user= out", "ev({'u': ['b']}, rc.Run({'u': ['a', 'b']}))", 0.5),),
    ),
    Case(
        f"{_EVALUATE.replace('run.csv', 'run.json')} --column run.user=id",
        (Follow("Leave --column user=… out", _EVALUATE.replace("run.csv", "run.json"), 0.5),),
        files={**_files(_TWO), "run.json": '{"u": ["a", "b"]}'},
    ),
    # several columns
    Case(
        "rc.Run('run.csv', score=('score', 'pred'))",
        (
            Follow(
                "Several columns can be the user or the item",
                "ev(rc.Labels({('u', 'b'): ['b']}), rc.Run('run.csv', user=('user', 'of'), score='score'))",
                0.5,
                files=_files("user,of,item,score\nu,b,a,2\nu,b,b,1\n"),
            ),
        ),
        files=_files("user,item,score,pred\nu,a,2,0\nu,b,1,5\n"),
    ),
    Case(
        "rc.Run('run.csv', user=())",
        (Follow("user=('first', 'second')", "ev({('u', 'b'): ['b']}, rc.Run('run.csv', §))", 0.5),),
        files=_files("first,second,item,score\nu,b,a,2\nu,b,b,1\n"),
    ),
    # frames
    Case(
        "ev({'u': ['b']}, series)",
        (
            Follow("series.rename_axis(['user', 'item'])", "ev({'u': ['b']}, §)", 0.5),
            Follow("series.rename_axis(['item', 'user'])", "ev({'b': ['u']}, §)", 1.0),
        ),
        given=_FRAME + "series = pd.Series([2., 1.], pd.MultiIndex.from_tuples([('u', 'a'), ('u', 'b')]))",
    ),
    Case(
        "ev({'u': ['b']}, frame)",
        (
            Follow(
                "rc.Run(frame.to_numpy(float), user_ids=frame.index, item_ids=frame.columns)",
                "ev({'u': ['b']}, §)",
                0.5,
            ),
            Follow("rc.Run(frame, user='a', item='b')", "ev({2: [1]}, §)", 1.0),
        ),
        given=_FRAME + "frame = pd.DataFrame({'a': [2], 'b': [1]}, index=['u'])",
    ),
    # lists that are written as texts
    Case(
        "ev({'u': ['b']}, rc.Run(frame, item='items'))",
        (
            Follow(
                "Pass the list, which ast.literal_eval(text) makes of it",
                "ev({'u': ['b']}, frame.assign(items=frame['items'].map(__import__('ast').literal_eval)))",
                0.5,
            ),
            Follow("or a row for each item", "ev({'u': ['b']}, [('u', 'a', 2), ('u', 'b', 1)])", 0.5),
        ),
        given=_FRAME + "frame = pd.DataFrame({'user': ['u'], 'items': [\"['a', 'b']\"]})",
    ),
    Case(
        _EVALUATE,
        (
            Follow("Write a row for each item", _EVALUATE, 0.5, files=_files(_TWO)),
            Follow(
                "leave out all columns but those of the user and the lists",
                _EVALUATE,
                0.5,
                files=_files("user,item\nu,\"['a', 'b']\"\n"),
            ),
        ),
        files=_files("user,item,score\nu,\"['a', 'b']\",2\n"),
    ),
    Case(
        "ev({'u': ['b']}, series)",
        (Follow("series.to_dict()", "ev({'u': ['b']}, §)", 0.5),),
        given=_FRAME + "series = pd.Series({'u': {'a': 2., 'b': 1.}})",
    ),
    Case(
        "ev({'u': ['b']}, frame)",
        (
            Follow("frame.rename_axis(['user', 'item'])", "ev({'u': ['b']}, §)", 0.5),
            Follow("frame.rename_axis(['item', 'user'])", "ev({'b': ['u']}, §)", 1.0),
        ),
        given=_FRAME + "frame = pd.DataFrame({'score': [2., 1.]}, pd.MultiIndex.from_tuples([('u', 'a'), ('u', 'b')]))",
    ),
    Case(
        "ev({'u': ['b']}, frame)",
        (
            Follow("frame.droplevel(0, axis=1)", "ev({'u': ['b']}, §)", 0.5),
            Follow("frame.set_axis(['user', 'item', …], axis=1)", "ev({'u': ['b']}, §)", 0.5, fill={"…": "'score'"}),
        ),
        given=_FRAME + "frame = pd.DataFrame([['u', 'a', 2.], ['u', 'b', 1.]], "
        "columns=[['of', 'of', 'of'], ['user', 'item', 'score']])",
    ),
    Case(
        "ev({'u': ['b']}, frame)",
        (Follow("frame.rename_axis('user')", "ev({'u': ['b']}, §)", 0.5),),
        given=_FRAME + "frame = pd.DataFrame([['a', 'b']], ['u'])",
    ),
    *(
        Case(
            "ev({'u': [1]}, frame)",
            (
                Follow(f"rc.Run({wide})", "ev({'u': [column(1)]}, §)", 0.5),
                Follow(f"rc.Run(frame, user={user}, item={item})", "ev({2: [1]}, §)", named),
                Follow(ranks, "ev({'u': [1]}, §)", 0.5),
            ),
            given=f"{_FRAME}column, frame = {column}, {frame}",
        )
        for frame, column, user, item, named, wide, ranks in (
            (
                "pd.DataFrame([[2, 1]], ['u'])",
                "int",
                "'0'",
                "'1'",
                1.0,
                "frame.to_numpy(float), user_ids=frame.index, item_ids=frame.columns",
                "frame.rename_axis('user').add_prefix('rec_')",
            ),
            (
                "pl.DataFrame({'user': ['u'], '0': [2], '1': [1]})",
                "str",
                "'user'",
                "'0'",
                "there are numbers in '1'",
                "frame.drop('user').fill_null(-numpy.inf).to_numpy(), user_ids=frame['user'], "
                "item_ids=frame.drop('user').columns",
                "frame.select('user', pl.exclude('user').name.prefix('rec_'))",
            ),
        )
    ),
    Case(
        "ev({'u': ['b']}, frame)",
        (
            Follow(
                "Rename one of them",
                "ev({'u': ['b']}, frame.set_axis(['user', 'item', 'score', 'other'], axis=1))",
                0.5,
            ),
        ),
        given=_FRAME + "frame = pd.DataFrame([['u', 'a', 2., 0], ['u', 'b', 1., 0]], "
        "columns=['user', 'item', 'score', 'score'])",
    ),
    Case(
        "ev({'u': ['b']}, frame)",
        (
            Follow("Leave these rows out", "ev({'u': ['b']}, frame.dropna())", 1.0),
            Follow("give them an id", "ev({'u': ['b']}, frame.fillna('a'))", 0.5),
        ),
        given=_FRAME + "frame = pd.DataFrame({'user': ['u', 'u'], 'item': [None, 'b'], 'score': [2., 1.]})",
    ),
    Case(
        "ev({'u': ['1']}, frame)",
        (
            Follow("to text", "ev({'u': ['1.0']}, frame.assign(item=frame.item.astype(str)))", 0.5),
            Follow("to integers", "ev({'u': [1]}, frame.assign(item=[0, 1]))", 0.5),
        ),
        given=_FRAME + "frame = pd.DataFrame({'user': ['u', 'u'], 'item': [0.5, 1.], 'score': [2., 1.]})",
    ),
    Case(
        "ev({'u': ['b'], 'v': ['b']}, frame)",
        (Follow("frame.explode('user')", "ev({'u': ['b'], 'v': ['b']}, §)", 0.75),),
        given=_FRAME + "frame = pl.DataFrame({'user': [['u'], ['u', 'v']], 'item': ['a', 'b']})",
    ),
    # ranks and scores
    Case(
        "ev('labels.csv', 'run.csv')",
        (
            Follow("score='none'", "ev('labels.csv', rc.Run('run.csv', §))", 0.5),
            Follow("rank='none'", "ev('labels.csv', rc.Run('run.csv', §))", 1.0),
        ),
        files=_files("user,item,rank,score\nu,a,1,1\nu,b,2,2\n"),
    ),
    Case(
        _EVALUATE,
        (
            Follow("--column score=none", f"{_EVALUATE} §", 0.5),
            Follow("--column rank=none", f"{_EVALUATE} §", 1.0),
        ),
        files=_files("user,item,rank,score\nu,a,1,1\nu,b,2,2\n"),
    ),
    # fields of files
    Case(
        "ev('labels.csv', 'run.csv')",
        (
            Follow(
                "Put fields that hold a comma in double quotes",
                "ev({'u': ['b,c']}, 'run.csv')",
                0.5,
                files=_files('user,item,score\nu,a,2\nu,"b,c",1\n'),
            ),
            Follow(
                "write the file with tabs",
                "ev({'u': ['b,c']}, 'run.tsv')",
                0.5,
                files={"run.tsv": "u\ta\t2\nu\tb,c\t1\n"},
            ),
        ),
        files=_files("u;a,x;2\nu;b,c;1\n"),
    ),
    Case(
        "ev('labels.csv', 'run.csv')",
        (Follow("write each quote inside twice", "", 0.5, files=_files('user,item,score\nu,"a ""x""",2\nu,b,1\n')),),
        files=_files('user,item,score\nu,"a "x"",2\nu,b,1\n'),
    ),
    Case(
        "ev('labels.csv', 'run.csv')",
        (Follow("Is a quote before it not closed?", "", 0.5, files=_files(_TWO)),),
        files=_files('user,item,score\nu,"a,2\nu,b,1\n' + "u,c,0\n" * 30_000),
    ),
    Case(
        "ev('labels.csv', 'run.csv')",
        (Follow("Name the columns in the first line, with ',' between them", "", 0.5, files=_files(_TWO)),),
        files=_files("things\nu,a,2\nu,b,1\n"),
    ),
    Case(
        "ev('labels.csv', 'run.csv')",
        (Follow("Rename all but one", "", 0.5, files=_files("user,item,score,extra\nu,a,2,0\nu,b,1,0\n")),),
        files=_files("user,item,score,score\nu,a,2,0\nu,b,1,0\n"),
    ),
    Case(
        "ev('labels.csv', 'run.csv')",
        (Follow("The columns are: user, item, score", "", 0.5, files=_files(_TWO)),),
        files=_files("user,item,score\nu,a,2\nu,b,1,7\n"),
    ),
    Case(
        "ev('labels.csv', 'run.csv')",
        (Follow("Leave out all but the user, the item, and the grade or score", "", 0.5, files=_files(_TWO)),),
        files=_files("user,item,score" + ",x" * 100_001 + "\nu,a,2\n"),
    ),
    # Quepid
    Case(
        "ev('labels.csv', 'run.csv')",
        (
            Follow(
                "Export a snapshot",
                "",
                0.5,
                files=_files("Team Name,Case Name,Case ID,Query Text,Doc ID,Doc Position\nt,c,1,u,a,1\nt,c,1,u,b,2\n"),
            ),
        ),
        files=_files("query,docid,rating\nu,b,1\nv,,\n"),
    ),
    Case(
        "ev('labels.csv', 'run.csv')",
        (
            Follow(
                "Keep one run",
                "",
                0.5,
                files=_files("Team Name,Case Name,Case ID,Query Text,Doc ID,Doc Position\nt,c,1,u,a,1\nt,c,1,u,b,2\n"),
            ),
        ),
        files=_files("Team Name,Case Name,Case ID,Query Text,Doc ID,Doc Position\nt,c,1,u,a,1\nt,c,2,u,b,2\n"),
    ),
    # lists in cells
    Case(
        "ev('labels.csv', 'run.csv')",
        (Follow("Keep one of the two rows", "", 0.5, files=_files("user,predictions\nu,a b\n")),),
        files=_files("user,predictions\nu,a b\nu,c\n"),
    ),
    Case(
        "ev('labels.csv', 'run.csv')",
        (
            Follow("Give the row an id", "", 0.5, files=_files("user,predictions\nu,a b\nv,c\n")),
            Follow("leave it out", "", 0.5, files=_files("user,predictions\nu,a b\n")),
        ),
        files=_files("user,predictions\nu,a b\n,c\n"),
    ),
    # rows of text
    Case(
        "ev('labels.csv', 'run.csv')",
        (
            Follow("Give the row an id", "", 0.5, files=_files(_TWO)),
            Follow("leave it out", "", 1.0, files=_files("user,item,score\nu,b,1\n")),
        ),
        files=_files("user,item,score\nu,,2\nu,b,1\n"),
    ),
    Case(
        "ev('labels.csv', 'run.csv')",
        (Follow("Give every row a score", "", 0.5, files=_files(_TWO)),),
        files=_files("user,item,score\nu,a,\nu,b,1\n"),
    ),
    Case(
        "ev('labels.csv', 'run.csv')",
        (Follow("Write a point in place of the comma", "", 0.5, files=_files("user;item;score\nu;a;2.5\nu;b;1\n")),),
        files=_files("user;item;score\nu;a;2,5\nu;b;1\n"),
    ),
    Case(
        "ev('labels.csv', 'run.csv')",
        (Follow("Give every score as a number", "", 0.5, files=_files(_TWO)),),
        files=_files("user,item,score\nu,a,high\nu,b,1\n"),
    ),
    Case(
        "ev('labels.csv', 'run.csv')",
        (
            Follow("Give the row a finite score", "", 0.5, files=_files(_TWO)),
            Follow("leave it out", "", 1.0, files=_files("user,item,score\nu,b,1\n")),
        ),
        files=_files("user,item,score\nu,a,inf\nu,b,1\n"),
    ),
    Case(
        "ev({'u': ['b']}, {'u': {'a': 2**60 + 1, 'b': 2**60}})",
        (
            Follow("Subtract one number from every score", "ev({'u': ['b']}, {'u': {'a': 1, 'b': 0}})", 0.5),
            Follow("round them", "ev({'u': ['b', 'a']}, {'u': {'a': 2**60, 'b': 2**60}})", 1.0),
            Follow("pass ranks", "ev({'u': ['b']}, {'u': ['a', 'b']})", 0.5),
        ),
    ),
    Case(
        "ev({'u': [2.5]}, {'u': [2.5]})",
        (
            Follow("to text", "ev({'u': ['2.5']}, {'u': ['2.5']})", 1.0),
            Follow("to integers", "ev({'u': [2]}, {'u': [2]})", 1.0),
        ),
    ),
    Case(
        "ev({'u': [2**64]}, {'u': [1, 2**64]})",
        (Follow("Pass the item ids as text", "ev({'u': [str(2**64)]}, {'u': ['1', str(2**64)]})", 0.5),),
    ),
    Case(
        "ev({'u': ['\\ud83d']}, {'u': ['a']})",
        (Follow("Read it as UTF-8", "ev({'u': ['é'.encode().decode('utf-8')]}, {'u': ['é']})", 1.0),),
    ),
    # lines
    Case(
        "ev('labels.qrels', 'run.run')",
        (
            Follow(
                "It was read as a TREC run file (6 fields: user, Q0, item, rank, score, tag)",
                "",
                0.5,
                files={"run.run": "u Q0 a 1 2 t\nu Q0 b 2 1 t\n"},
            ),
        ),
        files={"labels.qrels": "u 0 b 1\n", "run.run": "u Q0 a 1 2 t\nu Q0 b 2 1\n"},
    ),
    Case(
        "ev('run.run', 'labels.qrels')",
        (Follow("Are the labels and the rankings exchanged?", "ev('labels.qrels', 'run.run')", 0.5),),
        files={"labels.qrels": "u 0 b 1\n", "run.run": "u Q0 a 1 2 t\nu Q0 b 2 1 t\n"},
    ),
    Case(
        "ev({'u': ['b']}, 'labels.qrels')",
        (Follow("Are the labels and the rankings exchanged?", "ev('labels.qrels', {'u': ['a', 'b']})", 0.5),),
        files={"labels.qrels": "u b L1\n"},
    ),
    Case(
        "ev(rc.Labels('labels.qrels', group='aspect'), {'u': ['a', 'b']})",
        (Follow("group='subtopic'", "ev(rc.Labels('labels.qrels', §), {'u': ['a', 'b']})", 0.5),),
        files={"labels.qrels": "u 1 b 1\n"},
    ),
)
