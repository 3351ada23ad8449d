"""Options that take one value are given once: otherwise the last would be kept, and nothing said."""

from collections import Counter
from typing import Any

import typer
from typer.core import TyperCommand

from rankconv.errors import MetricError

SEVERAL = {"--preset": "For several presets: rankconv compare.", "--metric": "Ask for one metric here."}
"""What to do where several are wanted."""


class GivenOnce(TyperCommand):
    """A command that refuses a second value where it takes one; a flag may be repeated."""

    def parse_args(self, ctx: typer.Context, args: list[str]) -> list[str]:  # type: ignore[override]
        """A MetricError for an option that is given twice."""
        *_, order = self.make_parser(ctx).parse_args(list(args))
        options: list[Any] = [one for one in order if one.param_type_name == "option"]
        for option, times in Counter(options).items():
            if times > 1 and not option.multiple and not (option.is_flag and not option.secondary_opts):
                name = max(option.opts, key=len)
                raise MetricError(f"{name} takes one value, and {times} were given", do=SEVERAL.get(name, ""))
        return super().parse_args(ctx, args)
