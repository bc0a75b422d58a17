"""Airflow's metadata database, in PostgreSQL, or in SQLite where there is none."""

import os
import sqlite3
from contextlib import closing
from functools import cache

# The columns of Airflow's own table that are needed here; Airflow creates it, and has more of them.
SCHEMA = """
CREATE TABLE IF NOT EXISTS task_instance (
    task_id TEXT NOT NULL,
    state TEXT,
    hostname TEXT,
    start_date {timestamp},
    PRIMARY KEY (task_id)
)
"""

# A running task counts 1, and 1 more for every full hour it has been running.
WEIGHTS = """
SELECT hostname, SUM(1 + {hours}) FROM task_instance
WHERE state = 'running' AND hostname IS NOT NULL
GROUP BY hostname
"""


class Postgres:
    schema = SCHEMA.format(timestamp="TIMESTAMPTZ")
    weights = WEIGHTS.format(hours="FLOOR(EXTRACT(EPOCH FROM now() - start_date) / 3600)")
    start_task = (
        "INSERT INTO task_instance VALUES (%s, 'running', %s, now() - %s * INTERVAL '1 hour')"
    )

    def __init__(self, url: str) -> None:
        import psycopg  # not needed for SQLite

        self.driver = psycopg
        self.url = url

    def connect(self):
        # The controller waits for 10 seconds: a database that is slower is an error in time.
        return self.driver.connect(self.url, connect_timeout=4, options="-c statement_timeout=4000")


class SQLite:
    schema = SCHEMA.format(timestamp="TEXT")
    weights = WEIGHTS.format(hours="(strftime('%s', 'now') - strftime('%s', start_date)) / 3600")
    start_task = "INSERT INTO task_instance VALUES (?, 'running', ?, datetime('now', '-' || ? || ' hours'))"

    def __init__(self, url: str) -> None:
        self.file = url.removeprefix("sqlite:///")

    def connect(self):
        return sqlite3.connect(self.file, timeout=4)


@cache
def database() -> Postgres | SQLite:
    """The database that AIRFLOW__DATABASE__SQL_ALCHEMY_CONN names, as it does for Airflow."""
    url = os.environ["AIRFLOW__DATABASE__SQL_ALCHEMY_CONN"]
    return SQLite(url) if url.startswith("sqlite:") else Postgres(url)


def weights() -> dict[str, int]:
    """How much each worker does, by its host name, which is the name of its Pod; idle ones are left out."""
    source = database()
    with closing(source.connect()) as connection:
        return {hostname: int(weight) for hostname, weight in connection.execute(source.weights)}


def start_tasks(tasks: list[tuple[str, str, int]]) -> None:
    """Adds running tasks: (task_id, hostname, how many hours ago it was started)."""
    source = database()
    with closing(source.connect()) as connection, connection:
        connection.execute(source.schema)
        for task in tasks:
            connection.execute(source.start_task, task)
