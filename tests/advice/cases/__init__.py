"""The cases, by what is read."""

from tests.advice.cases import arrays, tables

CASES = (*arrays.CASES, *tables.CASES)
