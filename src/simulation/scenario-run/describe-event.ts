import type { JsonObject } from "../../api/json.ts";
import type { EventDocument, NodesTarget, ObjectsTarget } from "../scenario-files/scenario-document.ts";
import { type ActionName, actionNames } from "../scenario-files/event-schema.ts";

type Describer<Name extends ActionName> = (action: NonNullable<EventDocument[Name]>) => string;

const describers: { readonly [Name in ActionName]: Describer<Name> } = {
  apply: (manifests) => `apply ${manifests.map(manifestName).join(", ")}`,
  scale: ({ workload, replicas, namespace }) => `scale ${workload}${inNamespace(namespace)} to ${replicas}`,
  setImage: ({ workload, image, namespace }) =>
    `set the image of ${workload}${inNamespace(namespace)} to ${image}`,
  restart: ({ workload, namespace }) => `restart ${workload}${inNamespace(namespace)}`,
  patch: ({ object, namespace }) => `patch ${object}${inNamespace(namespace)}`,
  delete: (target) => `delete ${objectsText(target)}`,
  label: (target) => `label ${objectsText(target)}: ${entriesText(target.labels)}`,
  annotate: (target) => `annotate ${objectsText(target)}: ${entriesText(target.annotations)}`,
  cordon: (target) => `cordon ${nodesText(target)}`,
  uncordon: (target) => `uncordon ${nodesText(target)}`,
  drain: (target) => `drain ${nodesText(target)}`,
  down: (target) => `${nodesText(target)} fails`,
  up: (target) => `${nodesText(target)} returns`,
  load: ({ object, namespace, metrics }) =>
    `load on ${object}${inNamespace(namespace)}: ${Object.keys(metrics).join(", ")}`,
  slowTermination: ({ selector, namespace = "default", delay }) =>
    `Pods ${selector === undefined ? "" : `of ${selector} `}in namespace ${namespace} take ${delay} to end`,
  featureGates: (gates) => `feature gates: ${entriesText(gates)}`,
};

/** What an event does, as a phrase: `scale deployment/web to 3`. */
export function describeEvent(event: EventDocument): string {
  for (const name of actionNames) {
    const action = event[name];
    // The table pairs each action with its describer, which TypeScript does not follow here.
    if (action !== undefined) return (describers[name] as (action: unknown) => string)(action);
  }
  return "nothing";
}

/** `Deployment default/web`. */
export function manifestName(manifest: JsonObject): string {
  const { kind, metadata } = manifest as {
    readonly kind: string;
    readonly metadata?: {
      readonly namespace?: string;
      readonly name?: string;
      readonly generateName?: string;
    };
  };
  const { name = `${metadata?.generateName ?? ""}*`, namespace } = metadata ?? {};
  return `${kind} ${namespace === undefined ? name : `${namespace}/${name}`}`;
}

function objectsText({ object, selector, count, which, namespace }: ObjectsTarget): string {
  const some = [count, which].filter((part) => part !== undefined).join(" ");
  const what = object ?? `${some === "" ? "" : `${some} `}Pods of ${selector ?? "everything"}`;
  return `${what}${inNamespace(namespace)}`;
}

function nodesText({ node, zone }: NodesTarget): string {
  return node === undefined ? `zone ${zone ?? ""}` : `node ${node}`;
}

function inNamespace(namespace: string | undefined): string {
  return namespace === undefined ? "" : ` in namespace ${namespace}`;
}

function entriesText(entries: Readonly<Record<string, string | boolean>>): string {
  return Object.entries(entries)
    .map(([name, value]) => `${name}=${String(value)}`)
    .join(", ");
}
