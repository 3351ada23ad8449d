"""How programs are called that rank one held-out item of each user among others, by the scores of a model.

The model is the caller's here: it has the scores of the case, and an item that is in no list ranks below all others.
Where negatives are drawn, the draws are those of the case as well.
"""

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, redirect_stdout
from dataclasses import dataclass, replace
from io import StringIO
from math import inf
from types import SimpleNamespace
from typing import Any, ClassVar
from unittest.mock import patch

import numpy as np

from rankconv.addons.verification.adapter import LibraryResult, NotGiven, Takes, User, library_calls
from rankconv.addons.verification.adapters.programs import Program
from rankconv.addons.verification.adapters.relevant_items import numbered

HELD_OUT = Takes(absent_users=False, one_relevant=True)
DRAWN = 100
"""Negatives that are drawn for each user."""


@dataclass(frozen=True)
class Candidates:
    """The items that compete for a user, by their numbers."""

    user: str
    relevant: int | None
    """The held-out item."""
    others: Sequence[int]
    """The other rows of the list."""
    scores: dict[int, float]

    def score(self, item: int) -> float:
        """What the model gives an item."""
        return self.scores.get(item, -inf)


@dataclass(frozen=True)
class Competition:
    """Users with their candidates; items are numbered from 1."""

    users: Sequence[Candidates]
    items: int

    @property
    def tested(self) -> list[Candidates]:
        """Those who have a held-out item."""
        return [user for user in self.users if user.relevant is not None]


def competing(users: Sequence[User]) -> Competition:
    """The candidates of users with one relevant item at most, which is in the list."""
    code = {item: place + 1 for item, place in numbered(users).items()}
    return Competition([_candidates(user, code) for user in users], len(code))


def _candidates(user: User, code: dict[str, int]) -> Candidates:
    if len(user.relevant) > 1 or not user.relevant.keys() <= set(user.ranking):
        raise NotGiven("each user has one held-out item, which is a candidate")
    if len(set(zip(user.ranking, user.scores, strict=True))) > len(set(user.ranking)):
        raise NotGiven("a model gives an item one score")
    rows, held = [code[item] for item in user.ranking], next((code[item] for item in user.relevant), None)
    others = list(rows)
    if held is not None:
        others.remove(held)
    return Candidates(user.name, held, others, dict(zip(rows, user.scores, strict=True)))


@contextmanager
def drawn(given: Competition, unknown: int) -> Iterator[None]:
    """Let NumPy draw the other candidates of each user who is tested, and then an item that is in no list."""
    if any(len(user.others) > DRAWN for user in given.tested):
        raise NotGiven(f"{DRAWN} negatives are drawn")
    numbers = (item for user in given.tested for item in [*user.others, *[unknown] * (DRAWN - len(user.others))])
    with patch("numpy.random.randint", lambda low, high: next(numbers)):
        yield


class HeldOut(Program):
    """A program that is handed the candidates of each user."""

    takes = HELD_OUT

    def given(self, users: Sequence[User]) -> Competition:
        return competing(users)


class NeuMF(HeldOut):
    """A model, ratings of one held-out item a user and negatives; a value for each, whose mean is the caller's."""

    preset = "neumf"
    packages = ("neural_collaborative_filtering",)
    install = "git clone https://github.com/hexiangnan/neural_collaborative_filtering, and put it on the PYTHONPATH"
    own_environment = "its file evaluate.py has the name of a package"
    file, defines = "evaluate.py", "def getHitRatio"
    calls: ClassVar = library_calls({"hit_ratio": "hits", "ndcg": "ndcgs"}, at_k="evaluate_model(K={{k}}), mean of {}")

    def ask(self, given: Competition, call: str, k: int | None) -> LibraryResult:
        import evaluate

        def predict(pairs: Sequence[Any], **options: Any) -> list[float]:
            return [given.tested[user].score(item) for user, item in zip(*pairs, strict=True)]

        evaluate.xrange = range  # the name before Python 3
        ratings = [[place, user.relevant] for place, user in enumerate(given.tested)]
        negatives = [list(user.others) for user in given.tested]
        hits, ndcgs = evaluate.evaluate_model(SimpleNamespace(predict=predict), ratings, negatives, k, 1)
        values = hits if call.endswith("hits") else ndcgs
        per_user = {user.user: float(value) for user, value in zip(given.tested, values, strict=True)}
        return LibraryResult(float(np.mean(values)), per_user)


class SASRec(HeldOut):
    """A model, and what each user did; the means alone are given, at 10 items."""

    preset = "sasrec"
    packages = ("SASRec.pytorch",)
    install = "git clone https://github.com/pmixer/SASRec.pytorch, and put its folder python on the PYTHONPATH"
    own_environment = "torch is large; take its CPU build where you have no GPU"
    file, defines = "utils.py", "def evaluate_valid"
    calls: ClassVar = library_calls({"ndcg": "evaluate()[0]", "hit_ratio": "evaluate()[1]"}, at_k="{}")

    def ask(self, given: Competition, call: str, k: int | None) -> float:
        import torch
        from utils import evaluate

        if k != 10:
            raise NotGiven("its cutoff is 10")

        def predict(users: Any, sequences: Any, items: Any) -> Any:
            [user] = users
            return torch.tensor([[given.users[user - 1].score(item) for item in items]], dtype=torch.float64)

        before, unknown = given.items + 1, given.items + 2
        known = {user: [before] for user in range(1, len(given.users) + 1)}
        test = {user: [] if one.relevant is None else [one.relevant] for user, one in enumerate(given.users, 1)}
        with drawn(given, unknown):
            found = evaluate(
                SimpleNamespace(predict=predict),
                [known, known, test, len(given.users), given.items],
                SimpleNamespace(maxlen=1),
            )
        return float(found[call == "evaluate()[1]"])


class BERT4Rec(HeldOut):
    """The hook that is handed a batch of log probabilities and prints means at 1, 5 and 10 items."""

    preset = "bert4rec"
    packages = ("BERT4Rec",)
    install = "git clone https://github.com/FeiSun/BERT4Rec, and put it on the PYTHONPATH"
    own_environment = "it imports tensorflow"
    file, defines = "run.py", "class EvalHooks"
    takes = replace(HELD_OUT, duplicates=False)
    calls: ClassVar = library_calls({"hit_ratio": "hit", "ndcg": "ndcg"}, at_k="{}@{{k}}") | {"ap": "ap"}

    def ask(self, given: Competition, call: str, k: int | None) -> float:
        import tensorflow

        if k not in (1, 5, 10, None):
            raise NotGiven("its cutoffs are 1, 5 and 10")
        with patch.dict("sys.modules", tensorflow=tensorflow.compat.v1):  # it is written for version 1
            import run

        run.FLAGS(["run.py", "--nouse_pop_random", "--max_predictions_per_seq=1"])
        hooks, users, unknown = run.EvalHooks(), range(len(given.tested)), given.items + 1
        hooks.begin()
        hooks.ids, hooks.user_history = range(unknown), {f"user_{user}": [[]] for user in users}
        scores = np.array([[user.score(item) for item in range(unknown + 1)] for user in given.tested])
        held = np.array([[user.relevant] for user in given.tested])
        with drawn(given, unknown):
            hooks.after_run(
                None,
                SimpleNamespace(results=(scores, np.zeros((len(users), 1), int), held, [[user] for user in users])),
            )
        with redirect_stdout(StringIO()) as said:
            hooks.end(None)
        [printed] = re.findall(rf"\b{call}:([^,，]+)", said.getvalue())
        return float(printed)


class GRU4Rec(HeldOut):
    """A model and sessions: here of two events, the second of which has the held-out item. The means are given."""

    preset = "gru4rec"
    packages = ("GRU4Rec",)
    install = "git clone https://github.com/hidasib/GRU4Rec, and put it on the PYTHONPATH"
    own_environment = "it imports theano"
    file, defines = "evaluation.py", "def evaluate_sessions_batch"
    takes = replace(HELD_OUT, duplicates=False)
    calls: ClassVar = library_calls({"recall": "[0]", "mrr": "[1]"}, at_k="evaluate_sessions_batch(cut_off={{k}}){}")

    def ask(self, given: Competition, call: str, k: int | None) -> float:
        import pandas as pd
        from evaluation import evaluate_sessions_batch

        class Frame(pd.DataFrame):  # type: ignore[misc]
            ix = property(lambda self: self.loc)  # the name before pandas 1.0

        before, known = 0, range(given.items + 1)
        events = [
            (session, item, time)
            for session, user in enumerate(given.users)
            for time, item in enumerate([before] if user.relevant is None else [before, user.relevant])
        ]

        def predict(sessions: Any, last: Any, items: Any, size: int) -> Any:
            return Frame(
                {place: [given.users[one].score(item) for item in known] for place, one in enumerate(sessions)}
            )

        model = SimpleNamespace(itemidmap=pd.Series(known, known), predict_next_batch=predict)
        test = pd.DataFrame(events, columns=["SessionId", "ItemId", "Time"])
        return float(evaluate_sessions_batch(model, test, cut_off=k)[call.endswith("[1]")])
