"""`rankconv serve`: the playground in a browser, on this machine."""

from typing import Annotated

import typer

from rankconv.plugins import command_after


@command_after("schema")
def serve(
    port: Annotated[int, typer.Option(help="Where it listens, on this machine alone; 0 takes a free port.")] = 8421,
    open_: Annotated[bool, typer.Option("--open", help="Open it in the browser.")] = False,
) -> None:
    """Move items of a list about in a browser and see every preset's number move. Ctrl-C ends it."""
    import webbrowser

    from rankconv.serve.serving import serve as serve_playground

    def ready(address: str) -> None:
        print(f"The playground is at {address}, until Ctrl-C.", flush=True)
        if open_:
            webbrowser.open(address)

    serve_playground(port, ready)
