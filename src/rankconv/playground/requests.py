"""What the playground is sent: one list with its grades, a metric, presets, and two further conventions."""

from collections.abc import Iterable
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, FiniteFloat, ValidationError

from rankconv.analysis.identify.candidates import one_metric
from rankconv.errors import InputError, not_among
from rankconv.presets.folders import GROUPS, likely_presets, split
from rankconv.presets.registry import ALL, ALL_PRESETS, list_presets
from rankconv.presets.yaml_file import said

MOST_ITEMS = 200
"""So many items one list has at most; with more nobody moves them by hand."""
MOST_LETTERS = 200
LIST = "the list"
"""How the one user is called."""

Text = Annotated[str, Field(max_length=MOST_LETTERS)]
Grade = Annotated[FiniteFloat, Field(strict=True, ge=-1000, le=1000)]


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Judged(_Strict):
    """An item, and what somebody found of it."""

    id: Annotated[str, Field(min_length=1, max_length=MOST_LETTERS)]
    grade: Grade | None = None
    """None: nobody has judged it."""


class Ranked(Judged):
    """An item of the list."""

    score: Annotated[FiniteFloat, Field(strict=True)] | None = None


class MetricRequest(_Strict):
    """One request."""

    items: list[Ranked] = []
    """Best first."""
    unretrieved: list[Judged] = []
    """Judged items that the list lacks."""
    metric: Text = "ndcg"
    k: Annotated[int, Field(strict=True)] | None = None
    """A cutoff for a metric that names none."""
    presets: Annotated[list[Text], Field(max_length=300)] = []
    """Names and groups of presets; none: the usual ones."""
    why: tuple[Text, Text] | None = None
    identify: Text | None = None
    """A number as it was printed."""

    @property
    def spec(self) -> str:
        """The metric at its cutoff."""
        spec = one_metric(self.metric)
        return str(spec.at(self.k) if self.k is not None and not any(spec.cutoffs) else spec)

    def checked(self) -> None:
        """A ConventionError for a preset that is none; a path is none either, as who asks may be anybody."""
        for word in (*self.presets, *(self.why or ())):
            if word not in {ALL, *GROUPS} and split(word)[0] not in list_presets():
                raise not_among("preset", word, likely_presets(word, [*GROUPS, *list_presets()]), ALL_PRESETS)

    @property
    def labels(self) -> dict[str, dict[str, float]]:
        """The grade of each judged item; an InputError for an item that has two."""
        grades: dict[str, float] = {}
        for one in (*self.items, *self.unretrieved):
            if one.grade is not None and grades.setdefault(one.id, one.grade) != one.grade:
                do = "Give it the same grade everywhere, or another name."
                raise InputError(f"item '{one.id}' has the grades {grades[one.id]:g} and {one.grade:g}", do=do)
        return {LIST: grades}

    @property
    def run(self) -> dict[str, Any]:
        """The list, with its scores if it has some; an InputError where only some items have one."""
        without = [one.id for one in self.items if one.score is None]
        if len(without) == len(self.items):
            return {LIST: without}
        if without:
            raise InputError(
                f"item '{without[0]}' has no score, and others have", do="Give all items a score, or none."
            )
        return {LIST: [(one.id, one.score) for one in self.items]}


def read(given: Any) -> MetricRequest:
    """The request that plain data stand for; an InputError says what in them is none."""
    if not isinstance(given, dict):
        raise InputError("the request is no JSON object")
    for name in ("items", "unretrieved"):
        listed = given.get(name)
        if isinstance(listed, list) and len(listed) > MOST_ITEMS:
            do = "For longer lists: rankconv compare LABELS RUN."
            allowed = f"The playground takes {MOST_ITEMS} at most"
            raise InputError(f"the list has {len(listed):,} items", allowed=allowed, do=do)
    try:
        request = MetricRequest.model_validate(given)
    except ValidationError as problem:
        error = problem.errors(include_url=False)[0]
        raise InputError(said(error), where=", ".join(_places(error["loc"]))) from None
    request.checked()
    return request


def _places(path: Iterable[int | str]) -> list[str]:
    """Where in a request, counted from one."""
    return [str(one + 1) if isinstance(one, int) else one for one in path]
