"""Written by `python -m tests.generate`."""

from typing import Any

from rankconv.addons.protocols.draws import rating_step as rating_step
from rankconv.addons.verification.adapter import Adapter as Adapter, LibraryResult as LibraryResult
from rankconv.aggregation.data_policies import data_case as data_case
from rankconv.aggregation.special_case import Situation as Situation, special_case as special_case
from rankconv.basics.plugins import command as command, load_plugin as load_plugin
from rankconv.conventions.convention import Convention as Convention
from rankconv.conventions.custom_setting import FunctionOf as FunctionOf
from rankconv.conventions.traits import Traits as Traits
from rankconv.data.inputs.reading import input_format as input_format
from rankconv.metrics import Metric as Metric, Parts as Parts, Ratio as Ratio
from rankconv.metrics.beyond.of_all_lists import ShownRows as ShownRows, SystemLevelMetric as SystemLevelMetric
from rankconv.preparation.blocks.block import Block as Block
from rankconv.preparation.captions import said_as as said_as, shown_as as shown_as
from rankconv.preparation.step_registry import preparation_step as preparation_step
from rankconv.preparation.working_rows import WorkingBlock as WorkingBlock
from rankconv.presets.native_names.grammar import NativeName as NativeName, native_names as native_names

__all__ = ['Adapter', 'Block', 'Convention', 'FunctionOf', 'LibraryResult', 'Metric', 'NativeName', 'Parts', 'Ratio', 'ShownRows', 'Situation', 'SystemLevelMetric', 'Traits', 'WorkingBlock', 'command', 'data_case', 'input_format', 'load_plugin', 'native_names', 'preparation_step', 'rating_step', 'said_as', 'shown_as', 'special_case']
