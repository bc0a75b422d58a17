"""Fixtures for pytest: each worker has a cluster of its own, which is empty again for every test that asks for it.

    pip install pytest pytest-xdist kubernetes
    pytest -n 2 examples/pytest-fixture
"""

import json
import os
import pathlib
import subprocess

import pytest
from kubernetes import config

# How trimtab is started: TRIMTAB=trimtab, say, where it is installed. Without it, the program of this clone is.
PROGRAM = pathlib.Path(__file__).resolve().parents[2] / "dist/cli/main.js"
TRIMTAB = os.environ["TRIMTAB"].split() if "TRIMTAB" in os.environ else ["node", str(PROGRAM)]


def trimtab(*words):
    done = subprocess.run([*TRIMTAB, *words], capture_output=True, text=True)
    if done.returncode != 0:
        raise RuntimeError(f"trimtab {' '.join(words)}: {done.stderr.strip()}")
    return done.stdout


class Cluster:
    """A cluster in the background, by its name."""

    def __init__(self, name):
        self.name = name
        self.is_used = False
        trimtab("up", "--name", name, "--detach", "--nodes", "2")

    @property
    def kubeconfig(self):
        [found] = [each for each in json.loads(trimtab("list", "--json")) if each["name"] == self.name]
        return found["kubeconfig"]

    def reset(self):
        """Empties the cluster, unless no test has used it yet."""
        if self.is_used:
            trimtab("reset", self.name)
        self.is_used = True

    def step(self, duration):
        """Lets time pass at once."""
        trimtab("time", "step", duration, "--name", self.name)


@pytest.fixture(scope="session")
def shared_cluster():
    """The cluster of this worker, for tests that do not mind what others left."""
    worker = os.environ.get("PYTEST_XDIST_WORKER", "main")
    cluster = Cluster(f"pytest-{worker}-{os.getpid()}")
    yield cluster
    trimtab("stop", cluster.name)


@pytest.fixture
def cluster(shared_cluster):
    """The cluster of this worker, with nothing in it."""
    shared_cluster.reset()
    return shared_cluster


@pytest.fixture
def api(cluster):
    """A client of the official library for an empty cluster."""
    return config.new_client_from_config(cluster.kubeconfig)
