"""Tests with the official Python client, each run of them with a cluster of its own.

    pip install kubernetes
    python -m unittest discover examples/python-tests
"""

import json
import os
import pathlib
import subprocess
import unittest

from kubernetes import client, config, watch

# How trimtab is started: TRIMTAB=trimtab, say, where it is installed. Without it, the program of this clone is.
PROGRAM = pathlib.Path(__file__).resolve().parents[2] / "dist/cli/main.js"
TRIMTAB = os.environ["TRIMTAB"].split() if "TRIMTAB" in os.environ else ["node", str(PROGRAM)]


def trimtab(*words):
    return subprocess.run([*TRIMTAB, *words], check=True, capture_output=True, text=True).stdout


class Pods(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.name = f"test-{os.getpid()}"
        trimtab("up", "--name", cls.name, "--detach", "--nodes", "2")
        cls.addClassCleanup(trimtab, "stop", cls.name)
        [cluster] = [each for each in json.loads(trimtab("list", "--json")) if each["name"] == cls.name]
        config.load_kube_config(cluster["kubeconfig"])
        cls.core = client.CoreV1Api()

    def test_a_grace_period_of_an_hour_is_over_at_once(self):
        annotations = {"sim.trimtab.dev/ignoreSIGTERM": "true"}
        pod = client.V1Pod(
            metadata=client.V1ObjectMeta(name="stubborn", annotations=annotations),
            spec=client.V1PodSpec(
                termination_grace_period_seconds=3600,
                containers=[client.V1Container(name="web", image="nginx")],
            ),
        )
        self.core.create_namespaced_pod("default", pod)
        self.until("stubborn", lambda event: event["object"].status.phase == "Running")
        self.core.delete_namespaced_pod("stubborn", "default")
        trimtab("time", "step", "1h", "--name", self.name)
        self.until_gone("stubborn")

    def until(self, name, reached):
        stream = watch.Watch().stream(
            self.core.list_namespaced_pod,
            "default",
            field_selector=f"metadata.name={name}",
            timeout_seconds=60,
        )
        for event in stream:
            if reached(event):
                return
        self.fail(f"{name} has not come to that")

    def until_gone(self, name):
        names = [pod.metadata.name for pod in self.core.list_namespaced_pod("default").items]
        if name in names:
            self.until(name, lambda event: event["type"] == "DELETED")


if __name__ == "__main__":
    unittest.main()
