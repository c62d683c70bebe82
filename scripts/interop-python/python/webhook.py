"""A receiver of push notifications on a free port of 127.0.0.1."""

import json
import threading

from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


class Webhook:
    """`received` holds (headers, body) of every notification, in order."""

    def __init__(self):
        self.received = []
        received = self.received

        class Receiver(BaseHTTPRequestHandler):
            def do_POST(self):
                body = self.rfile.read(int(self.headers['Content-Length']))
                received.append((dict(self.headers.items()), json.loads(body)))
                self.send_response(204)
                self.end_headers()

            def log_message(self, *_):
                pass

        self._server = ThreadingHTTPServer(('127.0.0.1', 0), Receiver)
        self.url = f'http://127.0.0.1:{self._server.server_port}/hook'
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def close(self):
        self._server.shutdown()
        self._server.server_close()
