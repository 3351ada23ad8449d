"""A definition: what one system or text calls, say, NDCG. A judging, a metric and an averaging, all frozen."""

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from rankconv.averaging import CAUSES, Averaging
from rankconv.errors import MetricError
from rankconv.metrics.base import Metric
from rankconv.ranking.judging import Judging
from rankconv.read_only import ReadOnlyDict
from rankconv.stated import Answers


@dataclass(frozen=True)
class Definition:
    """One metric with every question answered.

    `text` reads back to an equal definition: the preset, the name of the metric in it, what was answered
    differently from the preset, the cutoff.
    """

    preset: str
    """The preset that it was taken from."""
    key: str
    """What the preset calls it."""
    judging: Judging
    metric: Metric
    averaging: Averaging
    changed: tuple[tuple[str, str], ...] = ()
    """Answers that differ from those of the preset."""
    asked_k: int | None = None
    """The cutoff as it was asked for; the metric may hold a hidden one."""

    @property
    def parts(self) -> tuple[Answers, Answers, Answers]:
        """Judging, metric and averaging."""
        return self.judging, self.metric, self.averaging

    @cached_property
    def answers(self) -> dict[str, str]:
        """Every question that this definition asks, and its answer."""
        return ReadOnlyDict({question: answer for part in self.parts for question, answer in part.stated.items()})

    @property
    def k(self) -> int | None:
        """The cutoff."""
        return self.metric.k

    @property
    def spec(self) -> str:
        """The definition as text, without its preset."""
        changed = ", ".join(f"{question}={answer}" for question, answer in self.changed)
        return f"{self.key}{f'({changed})' if changed else ''}{'' if self.asked_k is None else f'@{self.asked_k}'}"

    @property
    def text(self) -> str:
        """The definition as text, which `rc.preset(…).define` and every command read back."""
        return f"{self.preset}:{self.spec}"

    @property
    def needs(self) -> dict[str, str]:
        """What the caller must give beside labels and lists, and the answer or the metric that asks for it."""
        return self.judging.needs | dict.fromkeys(self.metric.needs, f"the metric {self.metric.name}")

    def fingerprint_over(self, neutral: dict[str, str]) -> str:
        """64 bits that name this definition, over the answers that differ from the neutral ones."""
        told = {question: answer for question, answer in self.answers.items() if neutral.get(question) != answer}
        return fingerprint(self.metric.name, self.k, told)

    def idle(self) -> dict[str, str]:
        """Questions whose answer cannot matter here, each with the reason."""
        reasons = self.metric.idle()
        if "numerator" in self.averaging.stated.values():
            reasons.pop("discount", None)  # what is divided by 1 keeps its logarithm
        if not self.judging.by_score:
            if self.judging.tie_rule == "order":
                reasons["ties"] = "the list is not ordered by score"
            if self.judging.tie_rule == "order" and self.judging.given("score-gate") == "none":
                reasons["score-width"] = "scores are not compared"
        if "weights" not in self.averaging.answers["mean"].reads and "weight" in self.metric.stated:
            reasons["weight"] = "the mean is not weighted"
        if self.averaging.given("too-few-rows") == "formula":
            reasons["rows-needed"] = "too-few-rows says formula"
        return reasons

    def check(self) -> "Definition":
        """The same definition; a MetricError where its answers are not possible together."""
        name, rule = self.text, self.judging.tie_rule
        if rule not in self.metric.tie_rules():
            raise MetricError(
                f"{self.metric.name} is not defined under ties={self.judging.given('ties')}",
                where=name,
                do=_tie_advice(self.metric),
            )
        if rule == "shared" and not self.judging.by_score:
            raise MetricError("ties=shared(…) needs order=score, so that tied rows stand together", where=name)
        if self.k is not None and not self.metric.cuts:
            raise MetricError(f"{self.metric.name} has no form with a cutoff", where=name, do="Leave out the @k.")
        self._check_mean(name)
        return self

    def _check_mean(self, name: str) -> None:
        mean = self.averaging.answers["mean"]
        if "parts" in mean.reads and not self.metric.has_parts:
            raise MetricError(f"mean={mean.text} averages parts, and {self.metric.name} has none", where=name)
        if "ratios" in mean.reads:
            if not self.metric.splits:
                raise MetricError(
                    f"mean={mean.text} needs a denominator to sum, and {self.metric.name} has none", where=name
                )
            for cause in CAUSES:
                answer = self.averaging.given(cause)
                if answer not in ("formula", "skip", "error", "error-all"):
                    raise MetricError(
                        f"under mean={mean.text} a user has no value of his own, so {cause}={answer} says nothing",
                        where=name,
                        allowed="A cause may say formula, skip or error there",
                    )


def fingerprint(metric: str, k: int | None, told: Mapping[str, str]) -> str:
    """64 bits that name a strategy at a cutoff under answers, of which `told` are those that are not neutral."""
    return fingerprints(metric, [k], told)[0]


def fingerprints(metric: str, cutoffs: Sequence[int | None], told: Mapping[str, str]) -> list[str]:
    """The same at each of these cutoffs: a hash of [metric, cutoff, answers] as JSON."""
    name, answers = json.dumps(metric), json.dumps(sorted(told.items()))
    wholes = [f"[{name}, {json.dumps(k)}, {answers}]" for k in cutoffs]
    return [hashlib.sha256(whole.encode()).hexdigest()[:16] for whole in wholes]


def _tie_advice(metric: Metric) -> str:
    if metric.stated.get("ideal") == "returned-in-k":
        return "ties=averaged and ideal=returned-in-k exclude each other: change one of them."
    return "The mean over all orders of a tie needs a metric that is linear in hits or gains: choose another tie rule."
