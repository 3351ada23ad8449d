"""Written by `python -m rankconv.exports`."""

from typing import Any

from rankconv.ask.explain.working import Derivation as Derivation, derivation_of as derivation_of
from rankconv.ask.verify.adapter import Adapter as Adapter, LibraryResult as LibraryResult
from rankconv.averaging.judged_cases import data_case as data_case
from rankconv.averaging.special_case import Situation as Situation, special_case as special_case
from rankconv.inputs.readers import input_format as input_format
from rankconv.judging.block import Block as Block
from rankconv.judging.registry import preparation_step as preparation_step
from rankconv.judging.rows import WorkingBlock as WorkingBlock
from rankconv.metrics import Metric as Metric, Parts as Parts, Ratio as Ratio
from rankconv.plugins import command as command, load_plugin as load_plugin
from rankconv.protocols.registry import rating_step as rating_step
from rankconv.questions.choice import Choice as Choice
from rankconv.questions.custom import FunctionOf as FunctionOf

__all__ = ['Adapter', 'Block', 'Choice', 'Derivation', 'FunctionOf', 'LibraryResult', 'Metric', 'Parts', 'Ratio', 'Situation', 'WorkingBlock', 'command', 'data_case', 'derivation_of', 'input_format', 'load_plugin', 'preparation_step', 'rating_step', 'special_case']
