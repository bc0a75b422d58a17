"""Takes tasks from a queue in PostgreSQL, one at a time, and says in its metrics how many it is running."""

import os
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import psycopg

POD = os.environ["POD"]
TAKE = """
UPDATE queue SET worker = %s WHERE id = (
    SELECT id FROM queue WHERE worker IS NULL ORDER BY id FOR UPDATE SKIP LOCKED LIMIT 1
) RETURNING id, seconds
"""
running = 0


def work() -> None:
    global running
    with psycopg.connect(os.environ["DATABASE_URL"], autocommit=True) as connection:
        while True:
            task = connection.execute(TAKE, [POD]).fetchone()
            if task is None:
                time.sleep(0.2)
                continue
            number, seconds = task
            running = 1
            time.sleep(seconds)
            connection.execute("UPDATE queue SET done = true WHERE id = %s", [number])
            running = 0


class Metrics(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        content = f"# TYPE worker_running_tasks gauge\nworker_running_tasks {running}\n".encode()
        self.send_response(200)
        self.send_header("content-type", "text/plain; version=0.0.4")
        self.send_header("content-length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, format: str, *args: object) -> None:
        pass


if __name__ == "__main__":
    server = ThreadingHTTPServer((os.environ.get("HOST", ""), int(os.environ.get("PORT", "9100"))), Metrics)
    print(f"listening on {server.server_port}", flush=True)
    threading.Thread(target=work, daemon=True).start()
    server.serve_forever()
