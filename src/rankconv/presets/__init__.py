"""Definitions, each one setting of every convention, and presets: named, cited sets of them, read from YAML.

May import preparation, metrics and aggregation, whose conventions they set; no data is touched here.
"""

from rankconv.basics.guessed_names import refuse_calls

refuse_calls(__name__)
