"""The playground: a page on this machine where a list is rearranged by hand, with the value of every preset as JSON.

Starlette and uvicorn are needed only here.
"""
