import type { FeatureGates } from "../../api/feature-gates.ts";
import type { Json, JsonObject } from "../../api/json.ts";
import { apiVersionOf } from "../../api/resource.ts";
import { simulationPrefix } from "../../cluster/kubelet/behaviour/simulation-prefix.ts";
import { loadAnnotation } from "../../cluster/simulated-metrics/annotated-load.ts";
import { apiFailure } from "../../machinery/client/api-error.ts";
import type { Patch } from "../../machinery/client/client.ts";
import type {
  ActionTarget,
  MetadataChanges,
  NodesTarget,
  UserAction,
} from "../../user-actions/user-action.ts";
import { checkManifest } from "../scenario-files/check-manifest.ts";
import { findObject } from "../scenario-files/find-resource.ts";
import type {
  ActionDocument,
  LoadDocument,
  NodesDocument,
  ObjectsTarget,
} from "../scenario-files/scenario-document.ts";

/** What the actions of an event depend on besides the event. */
export interface ActionContext {
  readonly gates: () => FeatureGates;
  /** The seed of the run, which the noise of loads comes from. */
  readonly seed: string | number;
  /** Chooses the Pods of a target that has a selector. */
  readonly selectPods: (target: ObjectsTarget) => Promise<readonly ActionTarget[]>;
}

type Document<Name extends keyof ActionDocument> = NonNullable<ActionDocument[Name]>;
type Direct = Exclude<keyof ActionDocument, "apply" | "load" | "slowTermination" | "featureGates">;
type Readers = {
  readonly [Name in Direct]: (document: Document<Name>) => UserAction | undefined;
};

/** The events that are one action each; none where Pods are chosen by a selector. */
const readers: Readers = {
  scale: ({ workload, namespace, replicas }) => ({
    action: "scale",
    ...targetOf({ object: workload, namespace }),
    replicas,
  }),
  setImage: ({ workload, namespace, container, image }) => ({
    action: "set-image",
    ...targetOf({ object: workload, namespace }),
    image,
    ...(container !== undefined && { container }),
  }),
  restart: ({ workload, namespace }) => ({ action: "restart", ...targetOf({ object: workload, namespace }) }),
  patch: ({ object, namespace, type = "strategic", subresource, patch }) => ({
    action: "patch",
    ...targetOf({ object, namespace }),
    patch: patchOf(type, patch),
    subresource,
  }),
  delete: (document) => ofNamedObject(document, { delete: document }),
  label: (document) => ofNamedObject(document, { label: document }),
  annotate: (document) => ofNamedObject(document, { annotate: document }),
  cordon: (target) => ({ action: "cordon", ...nodesTarget(target) }),
  uncordon: (target) => ({ action: "uncordon", ...nodesTarget(target) }),
  drain: (target) => ({ action: "drain", ...nodesTarget(target) }),
  down: (target) => ({ action: "fail", ...nodesTarget(target) }),
  up: (target) => ({ action: "restore", ...nodesTarget(target) }),
};

/** The action of an event that is exactly one, whatever the cluster is like; `undefined` for other events. */
export function directAction(event: ActionDocument): UserAction | undefined {
  for (const name of Object.keys(readers) as Direct[]) {
    const document = event[name];
    // The table pairs each document with its reader, which TypeScript does not follow here.
    if (document !== undefined)
      return (readers[name] as (document: unknown) => UserAction | undefined)(document);
  }
  return undefined;
}

/** The actions of an event in their order; throws an `ApiError` where it names a kind that does not exist. */
export async function actionsOf(
  event: ActionDocument,
  { gates, seed, selectPods }: ActionContext,
): Promise<readonly UserAction[]> {
  const direct = directAction(event);
  if (direct !== undefined) return [direct];
  const { apply = [], load, slowTermination } = event;
  if (load !== undefined) return [loadAction(load, seed)];
  if (slowTermination !== undefined) {
    const { selector, namespace = "default", delay } = slowTermination;
    const annotations = { [`${simulationPrefix}terminationDelay`]: delay };
    const slowed =
      selector === undefined
        ? [{ kind: "Namespace", name: namespace }]
        : await selectPods({ selector, namespace });
    return slowed.map((target) => ({ action: "annotate", ...target, annotations }));
  }
  const selecting = event.delete ?? event.label ?? event.annotate;
  if (selecting !== undefined)
    return (await selectPods(selecting)).map((target) => objectAction(event, target));
  return apply.flatMap((manifest) => applyAction(manifest, gates()));
}

type ObjectActions = Pick<ActionDocument, "delete" | "label" | "annotate">;

function ofNamedObject({ object, namespace }: ObjectsTarget, actions: ObjectActions): UserAction | undefined {
  return object === undefined ? undefined : objectAction(actions, targetOf({ object, namespace }));
}

function objectAction({ label, annotate }: ObjectActions, target: ActionTarget): UserAction {
  if (label !== undefined) return { action: "label", ...target, labels: changesOf(label.labels) };
  if (annotate !== undefined)
    return { action: "annotate", ...target, annotations: changesOf(annotate.annotations) };
  return { action: "delete", ...target };
}

/** The action that creates an object or changes it to the manifest; none where the manifest cannot be decoded. */
function applyAction(document: JsonObject, gates: FeatureGates): readonly UserAction[] {
  const { manifest } = checkManifest(document, "", gates);
  return manifest === undefined ? [] : [{ action: "apply", manifest: manifest.object }];
}

/** The object that a scenario names as kubectl does. */
function targetOf({
  object,
  namespace = "default",
}: {
  readonly object: string;
  readonly namespace?: string | undefined;
}): ActionTarget {
  const reference = findObject(object);
  if (typeof reference === "string") throw apiFailure(404, "NotFound", reference);
  const { resource, name } = reference;
  const target = { apiVersion: apiVersionOf(resource), kind: resource.kind, name };
  return resource.namespaced ? { ...target, namespace } : target;
}

/** The nodes of a document, which has either a node or a zone. */
function nodesTarget({ node, zone = "" }: NodesDocument): NodesTarget {
  return node === undefined ? { zone } : { node };
}

/** Labels or annotations of a document, in which `false` removes one. */
export function changesOf(entries: Readonly<Record<string, string | boolean>>): MetadataChanges {
  return Object.fromEntries(
    Object.entries(entries).map(([name, value]) => [name, value === false ? null : String(value)]),
  );
}

function patchOf(type: Patch["type"], patch: Json): Patch {
  return type === "json"
    ? { type, operations: patch as readonly JsonObject[] }
    : { type, body: patch as JsonObject };
}

/** Annotates an object with its load; runs with other seeds have other random numbers in it. */
function loadAction({ metrics, ...target }: LoadDocument, seed: string | number): UserAction {
  const seeded = Object.entries(metrics).map(([name, metric]) => {
    const { seed: own = "", ...rest } = metric as JsonObject & { readonly seed?: string | number };
    return [name, { ...rest, seed: `${own}/${seed}` }];
  });
  const text = JSON.stringify(Object.fromEntries(seeded));
  return { action: "annotate", ...targetOf(target), annotations: { [loadAnnotation]: text } };
}
