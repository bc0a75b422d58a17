import type { Pod } from "../../api/generated/core-v1.ts";
import type { JsonObject } from "../../api/json.ts";
import { compileLabelSelector } from "../../api/labels/compile-label-selector.ts";
import { matchesLabels, type Labels } from "../../api/labels/label-selector.ts";
import { messageOf } from "../../api/message-of.ts";
import { controllerOf } from "../../api/owner-references.ts";
import { replicationControllers, services, statefulSets } from "../../api/resources.ts";
import { namespaceModeOf } from "../../decisions/stock/wish.ts";
import { defaultSpread, type SelectingObjects } from "../../decisions/stock/default-spread.ts";
import { isNotFound } from "../../machinery/client/api-error.ts";
import type { SteeringDependencies } from "../dependencies.ts";
import type { SpreadDefaults } from "../steering-config.ts";
import type { AdmissionHandler } from "./admit-replica-set.ts";
import { type AdmissionAnswer, type AdmissionRequest, admitted } from "./review.ts";

/** Says that a Pod's constraints were added, and by which part of the configuration. */
export const spreadAnnotation = "trimtab.dev/default-spread";

/** Adds the operator's spread constraints to Pods that have none. */
export function podAdmission(deps: SteeringDependencies): AdmissionHandler {
  return async (request, timeoutMs) => {
    if (request.resource !== "pods" || request.operation !== "CREATE") return admitted;
    const timeout = new AbortController();
    const timer = deps.clock.after(timeoutMs, () => timeout.abort(new Error("no time is left")));
    try {
      const answer = await spread(request, deps, timeout.signal);
      deps.metrics.admissions.increase({ kind: "pod", outcome: answer === admitted ? "admitted" : "spread" });
      return answer;
    } catch (error) {
      deps.log.warn("a Pod passes without default constraints", { error: messageOf(error) });
      deps.metrics.admissions.increase({ kind: "pod", outcome: "failed" });
      return admitted;
    } finally {
      timer.cancel();
    }
  };
}

async function spread(
  { object, namespace }: AdmissionRequest,
  deps: SteeringDependencies,
  signal: AbortSignal,
): Promise<AdmissionAnswer> {
  if (object === undefined || deps.spread.length === 0) return admitted;
  const labels = deps.namespaces.get(namespace)?.metadata.labels;
  if (namespaceModeOf(labels, deps.mode) !== "enforce") return admitted;
  const defaults = deps.spread.find((each) => selectsNamespace(each, labels));
  if (defaults === undefined) return admitted;
  const draft = object as unknown as Pod;
  const pod = { ...draft, metadata: { ...draft.metadata, namespace } };
  const added = defaultSpread(pod, defaults.constraints, await selecting(pod, namespace, { deps, signal }));
  if (added === undefined) return admitted;
  const constraints = added.constraints as unknown as readonly JsonObject[];
  return {
    allowed: true,
    patch: [
      { op: "add", path: "/spec/topologySpreadConstraints", value: constraints },
      ...(draft.metadata.annotations === undefined
        ? [{ op: "add", path: "/metadata/annotations", value: {} }]
        : []),
      {
        op: "add",
        path: `/metadata/annotations/${spreadAnnotation.replace("/", "~1")}`,
        value: defaults.name,
      },
    ],
  };
}

function selectsNamespace({ namespaceSelector }: SpreadDefaults, labels: Labels): boolean {
  const compiled = compileLabelSelector(namespaceSelector);
  return compiled.ok && matchesLabels(compiled.selection, labels);
}

/** The Services of the namespace and the controller of a Pod, live but for ReplicaSets, which are watched anyway. */
async function selecting(
  pod: Pod,
  namespace: string,
  { deps, signal }: { readonly deps: SteeringDependencies; readonly signal: AbortSignal },
): Promise<SelectingObjects> {
  const { client } = deps;
  const found = (await client.list(services, { namespace }, signal)).items;
  const owner = controllerOf(pod);
  const name = { namespace, name: owner?.name ?? "" };
  switch (owner?.kind) {
    case "ReplicaSet": {
      const replicaSet = deps.replicaSets.get(`${namespace}/${name.name}`);
      return { services: found, replicaSets: replicaSet === undefined ? [] : [replicaSet] };
    }
    case "StatefulSet": {
      const statefulSet = await client.get(statefulSets, name, signal).catch(ifNotFound);
      return { services: found, statefulSets: statefulSet === undefined ? [] : [statefulSet] };
    }
    case "ReplicationController": {
      const controller = await client.get(replicationControllers, name, signal).catch(ifNotFound);
      return { services: found, replicationControllers: controller === undefined ? [] : [controller] };
    }
    case undefined:
    default:
      return { services: found };
  }
}

function ifNotFound(error: unknown): undefined {
  if (!isNotFound(error)) throw error;
}
