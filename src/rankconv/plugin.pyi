"""Written by `python -m tests.stubs`."""

from typing import Any

from rankconv.aggregation.judged_cases import data_case as data_case
from rankconv.aggregation.special_case import Situation as Situation, special_case as special_case
from rankconv.inputs.reading import input_format as input_format
from rankconv.metrics import Metric as Metric, Parts as Parts, Ratio as Ratio
from rankconv.plugins import command as command, load_plugin as load_plugin
from rankconv.preparation.block import Block as Block
from rankconv.preparation.registry import preparation_step as preparation_step
from rankconv.preparation.rows import WorkingBlock as WorkingBlock
from rankconv.protocols.draws import rating_step as rating_step
from rankconv.specs.convention import Convention as Convention
from rankconv.specs.custom import FunctionOf as FunctionOf
from rankconv.verification.adapter import Adapter as Adapter, LibraryResult as LibraryResult

__all__ = ['Adapter', 'Block', 'Convention', 'FunctionOf', 'LibraryResult', 'Metric', 'Parts', 'Ratio', 'Situation', 'WorkingBlock', 'command', 'data_case', 'input_format', 'load_plugin', 'preparation_step', 'rating_step', 'special_case']
