"""What a setting of a protocol says in a paper's sentence."""

from rankconv.citing.formula import IF_GIVEN, WORDS, no_such_hole, parameters, said, was_given
from rankconv.specs.option import Setting


def words(setting: Setting) -> str:
    """What a setting says, with its parameters; its rule where it says nothing."""
    given = parameters(setting)

    def fill(name: str, how: str) -> str:
        if name not in given:
            raise no_such_hole(name, given, f"{setting.convention_name}={setting.text}")
        if how.startswith(IF_GIVEN):
            return how[1:] + said(given[name]) if was_given(setting, name) else ""
        return said(given[name])

    return WORDS.sub(
        lambda hole: fill(*hole[1].partition(":")[::2]), setting.setting_type.says or setting.setting_type.rule
    )
