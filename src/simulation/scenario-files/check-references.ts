import { type FieldError, invalid, notFound } from "../../api/field-error.ts";
import { isJsonObject, type JsonObject } from "../../api/json.ts";
import type { Labels } from "../../api/labels/label-selector.ts";
import { parseLabelSelector } from "../../api/labels/parse-label-selector.ts";
import { nearestName } from "../../api/nearest-name.ts";
import { nodesOfGroups } from "../../cluster/node-groups/node-group.ts";
import { zoneOf } from "../../api/well-known.ts";
import { keyOf } from "../../api/object.ts";
import { actionNames } from "./event-schema.ts";
import { findObject, workloadKinds } from "./find-resource.ts";
import type { ScenarioDocument } from "./scenario-document.ts";

/** What a scenario refers to by name has to be there: kinds, workloads, nodes, zones, hosts of pickers. */
export function checkReferences(scenario: ScenarioDocument): readonly FieldError[] {
  const known = namesIn(scenario);
  const { events = [], assertions = [], work = [], pickers = [] } = scenario;
  return [
    ...events.flatMap((event, index) =>
      actionNames.flatMap((name) => {
        const action = event[name];
        return isJsonObject(action) ? targetErrors(action, `events[${index}].${name}`, known) : [];
      }),
    ),
    ...assertions.flatMap((assertion, index) =>
      targetErrors(assertion as unknown as JsonObject, `assertions[${index}]`, known),
    ),
    ...work.flatMap(({ selector }, index) => selectorErrors(selector, `work[${index}].selector`)),
    ...pickers.flatMap(({ host }, index) => hostErrors(host, `pickers[${index}].host`, scenario)),
  ];
}

/** The names that a scenario defines. */
interface KnownNames {
  /** `Deployment default/web`. */
  readonly objects: readonly string[];
  readonly nodes: readonly string[];
  readonly zones: readonly string[];
}

function namesIn(scenario: ScenarioDocument): KnownNames {
  const { snapshot, manifests, events = [] } = scenario;
  const objects = [...manifests, ...events.flatMap(({ apply = [] }) => apply)];
  const created = objects.filter(({ kind }) => kind === "Node");
  const taken = (snapshot?.objects.nodes ?? []).map(({ metadata }) => metadata);
  const nodes = [...groupNodes(scenario), ...taken, ...created.map(metadataOf)];
  return {
    objects: [
      ...objects.map((object) => `${textIn(object["kind"])} ${keyIn(metadataOf(object))}`),
      ...(snapshot?.objects.deployments ?? []).map((each) => `Deployment ${keyOf(each)}`),
      ...(snapshot?.objects.replicationControllers ?? []).map(
        (each) => `ReplicationController ${keyOf(each)}`,
      ),
    ],
    nodes: nodes.map(({ name }) => textIn(name)),
    zones: nodes.map((metadata) => textIn(zoneOf(metadata as { readonly labels?: Labels }))),
  };
}

/** The metadata of the nodes that a cluster without a snapshot is started with. */
function groupNodes({ snapshot, nodes = 12, zones = 3 }: ScenarioDocument) {
  if (snapshot !== undefined) return [];
  const groups = typeof nodes === "number" ? [{ name: "node", count: nodes }] : nodes;
  return nodesOfGroups(groups, { zones, now: 0 }).map(({ metadata }) => metadata);
}

function metadataOf(object: JsonObject): JsonObject {
  return isJsonObject(object["metadata"]) ? object["metadata"] : {};
}

function textIn(value: unknown): string {
  return typeof value === "string" ? value : "";
}

function keyIn({ namespace = "default", name }: JsonObject): string {
  return `${textIn(namespace)}/${textIn(name)}`;
}

function targetErrors(target: JsonObject, path: string, known: KnownNames): readonly FieldError[] {
  const { workload, object, selector, namespace = "default" } = target;
  return [
    ...(typeof workload === "string"
      ? workloadErrors([workload, textIn(namespace)], `${path}.workload`, known)
      : []),
    ...(typeof object === "string" ? kindErrors(object, `${path}.object`) : []),
    ...(typeof selector === "string" ? selectorErrors(selector, `${path}.selector`) : []),
    ...nodeErrors(target, path, known),
  ];
}

function kindErrors(text: string, path: string): readonly FieldError[] {
  const found = findObject(text);
  return typeof found === "string" ? [invalid(path, text, found)] : [];
}

/** ReplicaSets and Jobs may be created by others under names that no file has. */
const namedByUsers: ReadonlySet<string> = new Set([
  "Deployment",
  "ReplicationController",
  "StatefulSet",
  "DaemonSet",
]);

function workloadErrors(
  [text, namespace]: readonly [string, string],
  path: string,
  { objects }: KnownNames,
): readonly FieldError[] {
  const found = findObject(text);
  if (typeof found === "string") return [invalid(path, text, found)];
  const { resource, name } = found;
  if (!workloadKinds.includes(resource.kind))
    return [invalid(path, text, `must be a workload: ${workloadKinds.join(", ")}`)];
  if (!namedByUsers.has(resource.kind) || objects.includes(`${resource.kind} ${namespace}/${name}`))
    return [];
  const own = objects.filter((each) => each.startsWith(`${resource.kind} ${namespace}/`));
  const names = own.map((each) => each.slice(each.indexOf("/") + 1));
  return [notFound(path, text, `no manifest has it${suggestion(name, names)}`)];
}

function nodeErrors({ node, zone }: JsonObject, path: string, known: KnownNames): readonly FieldError[] {
  return [
    ...(typeof node === "string" && !known.nodes.includes(node)
      ? [notFound(`${path}.node`, node, `no such node${suggestion(node, known.nodes)}`)]
      : []),
    ...(typeof zone === "string" && !known.zones.includes(zone)
      ? [notFound(`${path}.zone`, zone, `no node is there${suggestion(zone, known.zones)}`)]
      : []),
  ];
}

/** The nearest name, or all where they are few. */
function suggestion(typed: string, names: readonly string[]): string {
  const distinct = [...new Set(names)].filter((name) => name !== "");
  const meant = nearestName(typed, distinct);
  if (meant !== undefined) return `; did you mean "${meant}"?`;
  return distinct.length === 0 || distinct.length > 10 ? "" : `; there are ${distinct.join(", ")}`;
}

function selectorErrors(selector: string | undefined, path: string): readonly FieldError[] {
  const parsed = parseLabelSelector(selector ?? "");
  return parsed.ok
    ? []
    : [invalid(path, selector, `${parsed.error}; a label selector was expected, such as app=web`)];
}

/** A picker that no workload calls is most likely a mistyped host. */
function hostErrors(
  host: string | undefined,
  path: string,
  { manifests, events = [], snapshot }: ScenarioDocument,
): readonly FieldError[] {
  const text = JSON.stringify([manifests, events, snapshot?.objects]);
  if (host === undefined || text.includes(host)) return [];
  const hosts = [...text.matchAll(/"host\\?":\\?"([^"\\]+)/g)].map(([, named = ""]) => named);
  return [notFound(path, host, `no workload calls this picker${suggestion(host, hosts)}`)];
}
