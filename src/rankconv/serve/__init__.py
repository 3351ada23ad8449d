"""The playground as a page on this machine: static files, and the function of `ask.play` behind one address.

May import `ask.play` and what is below it. Starlette and uvicorn are needed only here.
"""
