"""Near-valid input, mutated: each reader gives a right table, or an error of ours that says where.

How long it searches is chosen by the environment variable RANKCONV_FUZZING: `quick` (the default, some seconds),
`ci` (below two minutes), `long` (half an hour): RANKCONV_FUZZING=long python -m pytest tests/fuzzing
"""
