"""The line that people already have, with the number they already get, and a way onwards.

`from rankconv.compat.sklearn import ndcg_score`: each module bears the name of a library and offers its evaluation
with that library's arguments, defaults and errors, as pinned in the module. None of them needs the library. A module
is a table from arguments to one definition of a preset; nothing is computed here, so every number can show what
it is: `ndcg_score(y, s, k=10).definition`. What a library does oddly is kept, and said in its module.
"""
