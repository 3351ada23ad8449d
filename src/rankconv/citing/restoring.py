"""A definition made anew from the answers that a saved result holds."""

from rankconv.averaging import Averaging
from rankconv.engine.saved import SavedDefinition
from rankconv.errors import MetricError, unknown
from rankconv.judging.pipeline import Judging
from rankconv.metrics import METRICS
from rankconv.presets.definition import Definition
from rankconv.presets.registry import neutral_answers
from rankconv.questions.answer_set import AnswerSet
from rankconv.questions.spec import preset_and_rest, read_spec


def restored(saved: SavedDefinition) -> Definition:
    """The definition of a saved number; a question that was not asked then has its neutral answer."""
    if saved.functions:
        told = ", ".join(f"{question}={answer}" for question, answer in saved.functions.items())
        do = "Cite the definition itself, where it was evaluated: result.methods() or rc.cite(…)."
        wrong = f"a file does not hold the functions that answer: {told}"
        raise MetricError(wrong, where=saved.text, do=do, shell="Cite it in Python, where it was evaluated.")
    if saved.metric not in METRICS:
        raise unknown("metric", saved.metric, METRICS, do="Load the plugin that defines it.")
    answers = neutral_answers() | saved.answers
    judging = Judging.with_answers(_own(Judging, answers))
    averaging = Averaging.with_answers(_own(Averaging, answers))
    strategy = METRICS[saved.metric]
    metric = strategy.with_answers(_own(strategy, answers) | {"k": saved.k})
    preset, rest = preset_and_rest(saved.text)
    spec = read_spec(rest)
    return Definition(preset or "", spec.metric, judging, metric, averaging, spec.answers, spec.cutoffs[0])


def _own(kind: type[AnswerSet], answers: dict[str, str]) -> dict[str, str]:
    return {question: answers[question] for question in kind.questions()}
