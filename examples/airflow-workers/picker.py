"""The pod picker of Airflow's Celery workers: those with the least to lose go first."""

import hmac
import json
import logging
import os
import signal
import ssl
import sys
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from database import database, weights

TOKEN = os.environ["TOKEN"]
log = logging.getLogger("picker")


def pick(requested: int, candidates: list[str], weight: dict[str, int]) -> dict[str, list[str]]:
    """Chooses the workers with the lowest weights, and ties those that are equal at the cut."""
    cut = sorted(weight.get(pod, 0) for pod in candidates)[min(requested, len(candidates)) - 1]
    return {
        "chosen_pods": [pod for pod in candidates if weight.get(pod, 0) < cut],
        "tied_pods": [pod for pod in candidates if weight.get(pod, 0) == cut],
    }


def read_question(body: bytes) -> tuple[int, list[str]]:
    question = json.loads(body)
    requested, candidates = question["number_of_pods_requested"], question["candidate_pods"]
    if not isinstance(requested, int) or requested < 1 or not isinstance(candidates, list) or not candidates:
        raise ValueError("not a question")
    return requested, candidates


class Picker(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    timeout = 30  # of a connection that is silent

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers.get("content-length", 0)))
        if not hmac.compare_digest(self.headers.get("x-picker-token", ""), TOKEN):
            return self.answer(HTTPStatus.UNAUTHORIZED, {"error": "no valid token"})
        try:
            requested, candidates = read_question(body)
        except (ValueError, TypeError, KeyError):
            return self.answer(HTTPStatus.BAD_REQUEST, {"error": "not a question"})
        try:
            weight = weights()
        except Exception:  # whatever a database driver raises: the controller tries again
            log.exception("the metadata database does not answer")
            return self.answer(HTTPStatus.SERVICE_UNAVAILABLE, {"error": "no database"})
        return self.answer(HTTPStatus.OK, pick(requested, candidates, weight))

    def answer(self, status: HTTPStatus, body: object) -> None:
        content = json.dumps(body).encode()
        self.send_response(status)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, format: str, *args: object) -> None:
        log.info(format, *args)


class Server(ThreadingHTTPServer):
    request_queue_size = 64  # the default of 5 makes callers wait that come at the same time


def main() -> None:
    logging.basicConfig(level=logging.WARNING)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    database()  # a driver that is missing is found now, not in the first scale-down
    address = (os.environ.get("HOST", ""), int(os.environ.get("PORT", "8443")))
    tls = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    tls.load_cert_chain(os.environ["TLS_CERT_FILE"], os.environ["TLS_KEY_FILE"])
    with Server(address, Picker) as server:
        # The handshake is made by the thread of the connection, so that a silent client holds up no other.
        server.socket = tls.wrap_socket(server.socket, server_side=True, do_handshake_on_connect=False)
        print(f"listening on {server.server_port}", flush=True)
        server.serve_forever()


if __name__ == "__main__":
    main()
