"""How questions and answers are pickled: by name or as text; in another process they are what is registered there."""

import copyreg
import sys
from functools import reduce
from typing import Any

from rankconv.errors import ConventionError, unknown
from rankconv.plugins import file_of, place_of, provide
from rankconv.questions.choice import QUESTIONS, TABLES, Choice
from rankconv.questions.custom import CustomText
from rankconv.questions.option import Answer, Option


def _choice_named(name: str, module: str, file: str) -> Choice:
    known = TABLES.get(name) or QUESTIONS.get(name)
    if known is None:
        provide(module, file)
        known = TABLES.get(name) or QUESTIONS[name]
    return known


def _choice_reduced(choice: Choice) -> tuple[Any, ...]:
    return _choice_named, (choice.name, choice.module, file_of(choice.module))


def _option_reduced(option: Option) -> tuple[Any, ...]:
    module = option.function.__module__
    return _option_named, (option.table, option.name, module, file_of(module))


def _answer_reduced(answer: Answer) -> tuple[Any, ...]:
    module = answer.option.function.__module__
    return _answer_read, (answer.question, answer.text, module, file_of(module))


copyreg.pickle(Choice, _choice_reduced)
copyreg.pickle(Option, _option_reduced)
copyreg.pickle(Answer, _answer_reduced)


def _option_named(table: str, name: str, module: str, file: str) -> Option:
    provide(module, file)
    choice = _choice_named(table, module, file)
    if isinstance(name, CustomText):
        return choice(name).option
    if name not in choice.options:
        raise unknown(choice.noun, name, choice.names, where=_not_here(module))
    return choice.options[name]


def _answer_read(question: str, text: str, module: str, file: str) -> Answer:
    provide(module, file)
    try:
        return _choice_named(question, module, file)(text)
    except ConventionError as error:
        raise error.at(_not_here(module)) from None


def _not_here(module: str) -> str:
    return f"in this process, where {place_of(module)} has not registered it"


def class_named(module: str, name: str) -> Any:
    """The class of this name in this module; None where there is none."""
    return reduce(lambda found, part: getattr(found, part, None), name.split("."), sys.modules.get(module))


def answered(module: str, name: str, told: dict[str, Any], needed: dict[str, str]) -> Any:
    """The judging, metric or averaging with these answers."""
    for other, file in needed.items():
        provide(other, file)
    kind = class_named(module, name)
    if kind is None:
        raise ConventionError(f"this object needs {name}, which {place_of(module)} does not define in this process")
    return kind.with_answers(told)
