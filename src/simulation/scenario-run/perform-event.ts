import type { FeatureGates } from "../../api/feature-gates.ts";
import type { Pod } from "../../api/generated/core-v1.ts";
import type { JsonObject } from "../../api/json.ts";
import type { StoredObject } from "../../api/object.ts";
import type { Resource } from "../../api/resource.ts";
import { namespaces, nodes, pods } from "../../api/resources.ts";
import { formatTime } from "../../api/time.ts";
import { simulationPrefix } from "../../cluster/kubelet/behaviour/simulation-prefix.ts";
import type { Client } from "../../machinery/client/client.ts";
import type { EventDocument } from "../scenario-files/scenario-document.ts";
import type { SimulatedCluster } from "../simulated-cluster.ts";
import { drainNode } from "../what-if/drain-node.ts";
import type { BusyPods } from "../tracking/busy-pods.ts";
import { applyLoad, applyManifest, found, patchObject } from "./change-object.ts";
import { selectNodes, selectPods } from "./select-targets.ts";

/** What events act on. */
export interface EventContext {
  readonly cluster: SimulatedCluster;
  readonly busy: BusyPods;
  readonly gates: () => FeatureGates;
  /** The seed of the run, which the noise of loads comes from. */
  readonly seed: number;
  readonly setGates: (gates: Partial<FeatureGates>) => void;
  /** Ends what an event has begun and the end of the scenario interrupts. */
  readonly signal: AbortSignal;
  /** Takes what an event has begun and does not wait for: what it is refused with belongs to the event, too. */
  readonly goesOn: (work: Promise<unknown>) => void;
}

type Actions = Omit<EventDocument, "at" | "every" | "times" | "mayFail">;
type Performers = {
  readonly [Name in keyof Actions]-?: (action: NonNullable<Actions[Name]>, context: EventContext) => unknown;
};

const performers: Performers = {
  apply: async (manifests, { cluster, gates }) => {
    for (const manifest of manifests) await applyManifest(cluster.client, manifest, gates());
  },
  scale: ({ workload, namespace, replicas }, { cluster }) =>
    patchObject(
      cluster.client,
      { object: workload, namespace },
      { type: "merge", body: { spec: { replicas } } },
      "scale",
    ),
  setImage,
  restart: ({ workload, namespace }, { cluster }) => {
    const annotations = { "kubectl.kubernetes.io/restartedAt": formatTime(cluster.clock.now()) };
    const body = { spec: { template: { metadata: { annotations } } } };
    return patchObject(cluster.client, { object: workload, namespace }, { type: "strategic", body });
  },
  patch: ({ object, namespace, type = "strategic", subresource, patch }, { cluster }) => {
    const whole =
      type === "json"
        ? { type, operations: patch as readonly JsonObject[] }
        : { type, body: patch as JsonObject };
    return patchObject(cluster.client, { object, namespace }, whole, subresource);
  },
  delete: async (target, context) => {
    const { client } = context.cluster;
    for (const { resource, name } of await targetsOf(target, context))
      await client.delete(resource, name, { propagationPolicy: "Background" });
  },
  label: ({ labels, ...target }, context) => patchMetadata(target, { labels: removing(labels) }, context),
  annotate: ({ annotations, ...target }, context) =>
    patchMetadata(target, { annotations: removing(annotations) }, context),
  cordon: (target, { cluster }) => patchNodes(cluster.client, target, { spec: { unschedulable: true } }),
  uncordon: (target, { cluster }) => patchNodes(cluster.client, target, { spec: { unschedulable: null } }),
  drain: async (target, { cluster, signal, goesOn }) => {
    await patchNodes(cluster.client, target, { spec: { unschedulable: true } });
    // A drain may take long: the scenario goes on meanwhile.
    for (const { metadata } of await selectNodes(cluster.client, target))
      goesOn(drainOrThrow(cluster, metadata.name, signal));
  },
  down: (target, { cluster }) => patchNodes(cluster.client, target, unreachable("true")),
  up: (target, { cluster }) => patchNodes(cluster.client, target, unreachable(null)),
  load: (load, { cluster, seed }) => applyLoad(cluster.client, load, seed),
  slowTermination: ({ selector, namespace = "default", delay }, context) => {
    const annotations = { [`${simulationPrefix}terminationDelay`]: delay };
    const body = { metadata: { annotations } };
    return selector === undefined
      ? context.cluster.client.patch(namespaces, { name: namespace }, { type: "merge", body })
      : patchMetadata({ selector, namespace }, { annotations }, context);
  },
  featureGates: (gates, { setGates }) => setGates(gates),
};

async function drainOrThrow(...parameters: Parameters<typeof drainNode>): Promise<void> {
  const { failure } = await drainNode(...parameters);
  if (failure !== undefined) throw failure;
}

/** Does what an event says; throws an `ApiError` where the API server refuses. */
export async function performEvent(event: EventDocument, context: EventContext): Promise<void> {
  for (const name of Object.keys(performers) as (keyof Performers)[]) {
    const action = event[name];
    // The table pairs each action with its performer, which TypeScript does not follow here.
    if (action !== undefined)
      await (performers[name] as (action: unknown, context: EventContext) => unknown)(action, context);
  }
}

async function setImage(
  { workload, namespace, image, container }: NonNullable<Actions["setImage"]>,
  { cluster: { client } }: EventContext,
): Promise<unknown> {
  const { resource, name } = found({ object: workload, namespace });
  const object = (await client.get(resource, name)) as StoredObject & {
    readonly spec?: { readonly template?: { readonly spec?: Pod["spec"] } };
  };
  const first = object.spec?.template?.spec?.containers[0]?.name ?? "";
  const containers = [{ name: container ?? first, image }];
  const body = { spec: { template: { spec: { containers } } } };
  return client.patch(resource, name, { type: "strategic", body });
}

type Target = NonNullable<Actions["delete"]>;

async function targetsOf({ object, ...target }: Target, context: EventContext) {
  if (object !== undefined) return [found({ object, namespace: target.namespace })];
  const chosen = await selectPods(target, context);
  return chosen.map(({ metadata }) => ({ resource: pods as Resource, name: metadata }));
}

async function patchMetadata(target: Target, metadata: JsonObject, context: EventContext): Promise<void> {
  for (const { resource, name } of await targetsOf(target, context))
    await context.cluster.client.patch(resource, name, { type: "merge", body: { metadata } });
}

/** In a merge patch, null removes. */
function removing(entries: Readonly<Record<string, string | boolean>>): JsonObject {
  return Object.fromEntries(
    Object.entries(entries).map(([name, value]) => [name, value === false ? null : String(value)]),
  );
}

function unreachable(value: "true" | null): JsonObject {
  return { metadata: { annotations: { [`${simulationPrefix}unreachable`]: value } } };
}

async function patchNodes(
  client: Client,
  target: { node?: string; zone?: string },
  body: JsonObject,
): Promise<void> {
  for (const { metadata } of await selectNodes(client, target))
    await client.patch(nodes, metadata, { type: "merge", body });
}
