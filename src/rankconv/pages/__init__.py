"""What results print: one `Page`, and a writer for each form of it. A result makes its page; no result is known here.

Imports `numbers`, `escaping`, `writing` and `errors` alone: a page holds plain text, numbers and tables.
"""
