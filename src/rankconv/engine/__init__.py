"""From joined data and definitions to numbers: who goes which way, blocks of users, what they add up to.

May import preparation, metrics and aggregation; knows no preset, no input format and no page.
"""

from rankconv.engine.aggregate import measure, measure_first_rows

__all__ = ["measure", "measure_first_rows"]
