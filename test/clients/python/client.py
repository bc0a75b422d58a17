"""What a program with the official Python client does: test/clients/describe-client.ts says what each command prints."""

import sys

from kubernetes import client, config, dynamic, watch
from kubernetes.client.exceptions import ApiException


def watch_pods(namespace):
    core = client.CoreV1Api()
    pods = core.list_namespaced_pod(namespace)
    for pod in pods.items:
        say("added", pod.metadata.name)
    say("synced", len(pods.items))
    events = watch.Watch().stream(
        core.list_namespaced_pod, namespace, resource_version=pods.metadata.resource_version
    )
    for event in events:
        if event["type"] in ("ADDED", "DELETED"):
            say(event["type"].lower(), event["object"].metadata.name)


def refusals(namespace):
    core = client.CoreV1Api()
    say("not found", reason_of(lambda: core.read_namespaced_config_map("nowhere", namespace)) == 404)
    first = client.V1ConfigMap(metadata=client.V1ObjectMeta(name="refusals"))
    stale = core.create_namespaced_config_map(namespace, first)
    say("already exists", reason_of(lambda: core.create_namespaced_config_map(namespace, first)) == 409)
    core.patch_namespaced_config_map("refusals", namespace, {"data": {"changed": "once"}})
    stale.data = {"changed": "late"}
    say("conflict", reason_of(lambda: core.replace_namespaced_config_map("refusals", namespace, stale)) == 409)
    nameless = client.V1ConfigMap(metadata=client.V1ObjectMeta(name="No Name"))
    say("invalid", reason_of(lambda: core.create_namespaced_config_map(namespace, nameless)) == 422)


def apply(namespace, manager, replicas, force=None):
    wanted = {
        "apiVersion": "apps/v1",
        "kind": "Deployment",
        "metadata": {"name": "applied", "namespace": namespace},
        "spec": {
            "replicas": int(replicas),
            "selector": {"matchLabels": {"app": "applied"}},
            "template": {
                "metadata": {"labels": {"app": "applied"}},
                "spec": {"containers": [{"name": "web", "image": "web"}]},
            },
        },
    }
    deployments = dynamic.DynamicClient(client.ApiClient()).resources.get(api_version="apps/v1", kind="Deployment")
    try:
        applied = deployments.server_side_apply(
            body=wanted, field_manager=manager, force_conflicts=force is not None
        )
        say("applied", applied.spec.replicas)
    except ApiException as error:
        if error.status != 409:
            raise
        say("conflict:", error.body)


def logs(namespace, pod, follow=None):
    core = client.CoreV1Api()
    if follow is None:
        sys.stdout.write(core.read_namespaced_pod_log(pod, namespace))
        return
    for line in watch.Watch().stream(core.read_namespaced_pod_log, pod, namespace):
        say(line)


def watch_widgets(namespace):
    """Follows objects of a custom kind, and says in the status of each how big it is."""
    api = client.CustomObjectsApi()
    kind = {"group": "example.com", "version": "v1", "namespace": namespace, "plural": "widgets"}
    widgets = api.list_namespaced_custom_object(**kind)
    say("synced", len(widgets["items"]))
    version = widgets["metadata"]["resourceVersion"]
    for event in watch.Watch().stream(api.list_namespaced_custom_object, **kind, resource_version=version):
        name, size = event["object"]["metadata"]["name"], event["object"]["spec"]["size"]
        say(event["type"].lower(), name, size)
        if event["type"] == "ADDED":
            patched = api.patch_namespaced_custom_object_status(
                **kind, name=name, body={"status": {"size": size}, "spec": {"size": 0}}
            )
            say("status", patched["status"]["size"], "spec", patched["spec"]["size"])


def reason_of(call):
    try:
        call()
    except ApiException as error:
        return error.status
    return None


def say(*words):
    print(*(str(word).lower() if isinstance(word, bool) else word for word in words), flush=True)


config.load_kube_config()
commands = {"watch": watch_pods, "refusals": refusals, "apply": apply, "logs": logs, "widgets": watch_widgets}
commands[sys.argv[1]](*sys.argv[2:])
