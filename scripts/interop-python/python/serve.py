"""Serves an ASGI application on a free port of 127.0.0.1 and says so, until the process is told to stop."""

import socket
import sys

import uvicorn

from starlette.applications import Starlette
from starlette.routing import Mount


def bind():
    """A listening socket and its origin; agents need the origin for their cards before they are served."""
    listening = socket.create_server(('127.0.0.1', 0))
    return listening, f'http://127.0.0.1:{listening.getsockname()[1]}'


def serve(listening, origin, app):
    class Server(uvicorn.Server):
        async def startup(self, sockets=None):
            await super().startup(sockets)
            print(f'ready: {origin}', flush=True)

    config = uvicorn.Config(app, log_level='warning', timeout_graceful_shutdown=1)
    Server(config).run(sockets=[listening])
    sys.exit(0)


def public_origin(origin):
    """What the cards name: the address given on the command line (a proxy's), else the server's own."""
    return sys.argv[1] if len(sys.argv) > 1 else origin


def serve_both_ways(agent_at):
    """`agent_at(url, streaming)` gives the routes of one agent: one streams, below /stream/, one does not, below /poll/."""
    listening, origin = bind()
    public = public_origin(origin)
    routes = [
        Mount('/stream', routes=agent_at(f'{public}/stream/', True)),
        Mount('/poll', routes=agent_at(f'{public}/poll/', False)),
    ]
    serve(listening, origin, Starlette(routes=routes))
