"""The commands, some in each file. Importing registers them; a file without an import below comes last in help."""

from importlib import import_module
from pkgutil import iter_modules

# isort: off
from rankconv.cli.commands import evaluate_commands
from rankconv.cli.commands import compare_commands
from rankconv.cli.commands import understand
from rankconv.cli.commands import lookup
from rankconv.cli.commands import addons

# isort: on
for _file in iter_modules(__path__, "rankconv.cli.commands."):
    import_module(_file.name)
