"""Both tests create the same object: each has a cluster that is empty."""

from kubernetes import client
import pytest


@pytest.mark.parametrize("value", ["first", "second"])
def test_every_test_begins_with_an_empty_cluster(api, value):
    core = client.CoreV1Api(api)
    settings = client.V1ConfigMap(metadata=client.V1ObjectMeta(name="settings"), data={"value": value})
    core.create_namespaced_config_map("default", settings)
    assert core.read_namespaced_config_map("settings", "default").data == {"value": value}


def test_a_grace_period_of_an_hour_is_over_at_once(api, cluster):
    core = client.CoreV1Api(api)
    pod = client.V1Pod(
        metadata=client.V1ObjectMeta(name="stubborn", annotations={"sim.trimtab.dev/ignoreSIGTERM": "true"}),
        spec=client.V1PodSpec(
            termination_grace_period_seconds=3600,
            containers=[client.V1Container(name="web", image="nginx")],
        ),
    )
    core.create_namespaced_pod("default", pod)
    cluster.step("1m")
    core.delete_namespaced_pod("stubborn", "default")
    cluster.step("2h")
    assert core.list_namespaced_pod("default").items == []
