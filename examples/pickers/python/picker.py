"""A pod picker over HTTP with nothing but Python's standard library."""

import hmac
import json
import os
import sys
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

TOKEN = os.environ.get("TOKEN") or sys.exit("TOKEN is required")

# How many tasks each Pod has; your application fills it.
tasks: dict[str, int] = {}


def pick(requested: int, candidates: list[str]) -> dict[str, list[str]]:
    """Chooses the least busy Pods, and ties those that are equally busy at the cut."""
    busy = {pod: tasks.get(pod, 0) for pod in candidates}
    if requested >= len(busy):
        return {"chosen_pods": candidates, "tied_pods": []}
    cut = sorted(busy.values())[requested - 1]
    return {
        "chosen_pods": [pod for pod in candidates if busy[pod] < cut],
        "tied_pods": [pod for pod in candidates if busy[pod] == cut],
    }


class Picker(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers.get("content-length", 0)))
        if not hmac.compare_digest(self.headers.get("authorization", "").encode(), f"Bearer {TOKEN}".encode()):
            return self.answer(HTTPStatus.UNAUTHORIZED, {"error": "no token"})
        try:
            question = json.loads(body)
            requested, candidates = question["number_of_pods_requested"], question["candidate_pods"]
        except (ValueError, TypeError, KeyError):
            return self.answer(HTTPStatus.BAD_REQUEST, {"error": "no question"})
        if not isinstance(requested, int) or requested < 1 or not isinstance(candidates, list):
            return self.answer(HTTPStatus.BAD_REQUEST, {"error": "no question"})
        return self.answer(HTTPStatus.OK, pick(requested, candidates))

    def answer(self, status: HTTPStatus, body: object) -> None:
        content = json.dumps(body).encode()
        self.send_response(status)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *_: object) -> None:
        """Says nothing about each request."""


class Server(ThreadingHTTPServer):
    request_queue_size = 64  # the default of 5 makes callers wait that come at the same time


if __name__ == "__main__":
    server = Server((os.environ.get("HOST", ""), int(os.environ.get("PORT", "8080"))), Picker)
    print(f"listening on {server.server_port}", flush=True)
    server.serve_forever()
