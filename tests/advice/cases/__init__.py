"""The cases, by what is read."""

from tests.advice.cases import arrays, files, python_objects, records, tables

CASES = (*arrays.CASES, *files.CASES, *python_objects.CASES, *records.CASES, *tables.CASES)
