import type { Node, Pod } from "../api/generated/core-v1.ts";
import type { JsonObject } from "../api/json.ts";
import { controllerOf } from "../api/owner-references.ts";
import { mirrorAnnotation } from "../api/pod-state.ts";
import { qualifiedName, type Resource } from "../api/resource.ts";
import {
  deployments,
  nodes,
  pods,
  replicaSets,
  replicationControllers,
  statefulSets,
} from "../api/resources.ts";
import { formatTime } from "../api/time.ts";
import { ApiError, isNotFound } from "../machinery/client/api-error.ts";
import type { ListQuery, Patch, WriteOptions } from "../machinery/client/client.ts";
import { pathOf } from "../machinery/client/http/request-path.ts";
import { type ApiRequest, listRequest, patchRequest } from "../machinery/client/http/request.ts";
import { listOf, parseResponse } from "../machinery/client/http/response.ts";
import type { OpenRequest } from "../machinery/client/http/transport.ts";
import type { Clock } from "../machinery/clock/clock.ts";
import { yieldIfDue } from "../machinery/clock/run-in-steps.ts";
import type { ActionResult, PageAction, ScalableKind } from "./contract.ts";
import { kubectlLine, unreachableAnnotation, zoneLabel } from "./kubectl-line.ts";

/** What an action is performed with. */
export interface ActionEnvironment {
  readonly open: OpenRequest;
  /** The time of the cluster. */
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

type Outcome = Omit<ActionResult, "kubectl">;

const scalable: Readonly<Record<ScalableKind, Resource>> = {
  Deployment: deployments,
  ReplicaSet: replicaSets,
  StatefulSet: statefulSets,
  ReplicationController: replicationControllers,
};

/** Sends the requests that kubectl would send; throws what the API server answers when it refuses. */
export async function performAction(
  action: PageAction,
  environment: ActionEnvironment,
): Promise<ActionResult> {
  return { kubectl: kubectlLine(action), ...(await outcomeOf(action, environment)) };
}

function outcomeOf(action: PageAction, environment: ActionEnvironment): Promise<Outcome> {
  switch (action.action) {
    case "scale":
      return scale(action, environment);
    case "restart-rollout":
      return restart(action, environment);
    case "cordon":
      return cordon(action.node, true, environment);
    case "uncordon":
      return cordon(action.node, false, environment);
    case "drain":
      return drain(action.node, environment);
    case "fail-node":
      return annotate([action.node], "true", environment);
    case "restore-node":
      return annotate([action.node], null, environment);
    case "fail-zone":
      return annotateZone(action.zone, "true", environment);
    case "restore-zone":
      return annotateZone(action.zone, null, environment);
  }
}

type ActionNamed<Name> = Extract<PageAction, { readonly action: Name }>;

async function scale(action: ActionNamed<"scale">, environment: ActionEnvironment): Promise<Outcome> {
  const { namespace, name, replicas, kind } = action;
  const resource = scalable[kind];
  const patch = { type: "merge", body: { spec: { replicas } }, subresource: "scale" } as const;
  await ask(patchRequest(resource, { namespace, name }, patch), environment);
  return changed(resource, name, "scaled");
}

async function restart(
  { namespace, name }: ActionNamed<"restart-rollout">,
  environment: ActionEnvironment,
): Promise<Outcome> {
  const annotations = { "kubectl.kubernetes.io/restartedAt": formatTime(environment.clock.now()) };
  const body = { spec: { template: { metadata: { annotations } } } };
  await ask(patchRequest(deployments, { namespace, name }, { type: "strategic", body }), environment);
  return changed(deployments, name, "restarted");
}

async function cordon(
  node: string,
  unschedulable: boolean,
  environment: ActionEnvironment,
): Promise<Outcome> {
  await patchNode(node, { type: "strategic", body: { spec: { unschedulable } } }, environment);
  return changed(nodes, node, unschedulable ? "cordoned" : "uncordoned");
}

/** Evicts every Pod of a node once; those that a disruption budget keeps are in `refused`. */
async function drain(node: string, environment: ActionEnvironment): Promise<Outcome> {
  const { done } = await cordon(node, true, environment);
  const found = await list(pods, { fieldSelector: `spec.nodeName=${node}` }, environment);
  const outcomes: Outcome[] = [{ done, refused: [] }];
  for (const pod of found.filter(isEvictable)) outcomes.push(await evict(pod, environment));
  return {
    done: outcomes.flatMap((outcome) => outcome.done),
    refused: outcomes.flatMap((outcome) => outcome.refused),
  };
}

/** A DaemonSet would create its Pod again, and a mirror Pod stands for one that only the kubelet ends. */
function isEvictable(pod: Pod): boolean {
  const { deletionTimestamp, annotations = {} } = pod.metadata;
  return (
    deletionTimestamp === undefined &&
    annotations[mirrorAnnotation] === undefined &&
    controllerOf(pod)?.kind !== "DaemonSet"
  );
}

async function evict(pod: Pod, environment: ActionEnvironment): Promise<Outcome> {
  const { namespace, name } = pod.metadata;
  const body = { apiVersion: "policy/v1", kind: "Eviction", metadata: { namespace, name } };
  const request = {
    method: "POST",
    path: pathOf(pods, { namespace, name, subresource: "eviction" }),
    contentType: "application/json",
    body: JSON.stringify(body),
  } as const;
  try {
    await ask(request, environment);
    return changed(pods, name, "evicted");
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    if (isNotFound(error)) return { done: [], refused: [] }; // gone meanwhile: kubectl drain counts that as evicted
    return { done: [], refused: [{ object: `pod/${name} -n ${namespace}`, message: error.message }] };
  }
}

async function annotateZone(
  zone: string,
  value: string | null,
  environment: ActionEnvironment,
): Promise<Outcome> {
  const found: readonly Node[] = await list(nodes, { labelSelector: `${zoneLabel}=${zone}` }, environment);
  return annotate(
    found.map(({ metadata }) => metadata.name),
    value,
    environment,
  );
}

/** Lets the kubelets of nodes fall silent, or speak again. */
async function annotate(
  names: readonly string[],
  value: string | null,
  environment: ActionEnvironment,
): Promise<Outcome> {
  const body = { metadata: { annotations: { [unreachableAnnotation]: value } } };
  for (const name of names) await patchNode(name, { type: "merge", body }, environment);
  return { done: names.map((name) => `node/${name} annotated`), refused: [] };
}

async function patchNode(
  name: string,
  patch: Patch & WriteOptions,
  environment: ActionEnvironment,
): Promise<void> {
  await ask(patchRequest(nodes, { name }, patch), environment);
}

async function list<T extends Node | Pod>(
  resource: Resource<T>,
  query: ListQuery,
  environment: ActionEnvironment,
): Promise<readonly T[]> {
  return listOf(resource, await ask(listRequest(resource, query), environment)).items;
}

async function ask(request: ApiRequest, { open, clock, signal }: ActionEnvironment): Promise<JsonObject> {
  await yieldIfDue(clock); // an action may be hundreds of requests
  const { body } = await open(request, signal);
  return parseResponse(request, await body.text());
}

const changed = (resource: Resource, name: string, how: string): Outcome => ({
  done: [`${singular(resource)}/${name} ${how}`],
  refused: [],
});

/** `deployment.apps`, as kubectl prints it. */
const singular = (resource: Resource) => qualifiedName({ ...resource, plural: resource.kind.toLowerCase() });
