"""One page that every result prints, of headings, sentences, tables and plots, and its writers for each form.

May import errors and numbers; what the page says comes from above, and nothing here knows a metric.
"""
