"""What a library is handed for a preset with `+unretrieved`: unretrieved judged items are in the rankings."""

from collections.abc import Sequence
from dataclasses import replace

from rankconv.preparation.steps.candidates import CANDIDATES
from rankconv.presets.modifiers import split
from rankconv.presets.resolved import Preset
from rankconv.specs.option import Setting
from rankconv.verification.cases import User


def handed(users: Sequence[User], preset: Preset) -> tuple[User, ...]:
    """The users as the library of a preset is handed them."""
    if not split((preset.original or preset).name)[1]:
        return tuple(users)
    setting = CANDIDATES(preset.settings[CANDIDATES.name])
    for part in setting.each:
        users = [_appended(user, part) if part.trait("extends_below") else user for user in users]
    return tuple(users)


def _appended(user: User, setting: Setting) -> User:
    """The user with unretrieved items at the bottom, each 1 below the score before; rounded as `candidates` rounds."""
    items = [item for item in user.labels if item not in user.ranking]
    lowest, scores = setting.keywords.get("lowest"), list(user.scores)
    before = 0.0 if not scores else min(scores) if setting.keywords.get("below") == "lowest" else scores[-1]
    scores += [before - 1.0 - place for place in range(len(items))]
    shift = 0.0 if lowest is None else lowest - min(scores, default=0.0)
    return replace(user, ranking=(*user.ranking, *items), scores=tuple(score + shift for score in scores))
