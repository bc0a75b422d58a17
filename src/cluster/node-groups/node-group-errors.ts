import { defaultFeatureGates } from "../../api/feature-gates.ts";
import { duplicate, type FieldError, invalid, required } from "../../api/field-error.ts";
import type { Node } from "../../api/generated/core-v1.ts";
import { isJsonObject, type Json } from "../../api/json.ts";
import { validateAnnotations } from "../apiserver/kinds/object-meta/validate-object-meta.ts";
import { nodeStrategy } from "../apiserver/kinds/node/strategy.ts";
import type { Sent } from "../../api/sent.ts";
import { labelValueProblems, validateLabels } from "../../api/labels/label-syntax.ts";
import { dns1123SubdomainProblems } from "../../api/names.ts";
import { canonicalQuantity, quantityProblem } from "../../api/quantity/format-quantity.ts";
import { decodeDocument, joinErrors } from "../../scheduler/configuration/decode-document.ts";
import { nodeSimulationProblems } from "../kubelet/behaviour/simulation-problems.ts";
import type { NodeGroup } from "./node-group.ts";

/** More than the largest cluster that Kubernetes supports. */
export const mostNodes = 16_384;
/** As many as there are letters for. */
export const mostZones = 26;

const shape = {
  list: {
    members: {
      name: "string",
      count: "int32",
      zone: "string",
      labels: "JSON",
      annotations: "JSON",
      taints: { list: { members: { key: "string", value: "string", effect: "string" } } },
      capacity: "JSON",
    },
  },
};

/** Groups of nodes, without fields that are null, and every error in them. */
export interface ReadNodeGroups {
  /** To be used where there are no errors. */
  readonly groups: readonly NodeGroup[];
  readonly errors: readonly FieldError[];
}

/** Every error in what should be a list of groups, with paths below `path`. */
export function nodeGroupErrors(value: unknown, path: string): readonly FieldError[] {
  return readNodeGroups(value, path).errors;
}

/** Reads what should be a list of groups; errors have paths below `path`. */
export function readNodeGroups(value: unknown, path: string): ReadNodeGroups {
  const mistyped: FieldError[] = [];
  // What cannot be decoded is an error of its own, and left out.
  const decoded = decodeDocument(shape, value as Json, { path, errors: mistyped }) ?? [];
  const groups = decoded as unknown as readonly Partial<NodeGroup>[];
  const maps = groups.flatMap((group, index) => mapErrors(group, `${path}[${index}]`));
  const errors = joinErrors([...mistyped, ...maps], validate(groups, path));
  return { groups: groups as readonly NodeGroup[], errors };
}

function validate(groups: readonly Partial<NodeGroup>[], path: string): readonly FieldError[] {
  const total = groups.reduce((sum, { count = 0 }) => sum + Math.max(0, count), 0);
  return [
    ...groups.flatMap((group, index) => groupErrors(group, `${path}[${index}]`)),
    ...groups.flatMap(({ name }, index) =>
      name !== undefined && groups.slice(0, index).some((other) => other.name === name)
        ? [duplicate(`${path}[${index}].name`, name)]
        : [],
    ),
    ...(total > mostNodes ? [invalid(path, total, `must be at most ${mostNodes} nodes together`)] : []),
  ];
}

function groupErrors(group: Partial<NodeGroup>, path: string): readonly FieldError[] {
  const { name, count, zone, taints } = group;
  return [
    ...(name === undefined ? [required(`${path}.name`)] : nameErrors(name, count, `${path}.name`)),
    ...(count === undefined ? [required(`${path}.count`)] : countErrors(count, `${path}.count`)),
    ...(zone === undefined
      ? []
      : labelValueProblems(zone).map((problem) => invalid(`${path}.zone`, zone, problem))),
    ...validateLabels(entriesOf(group.labels, ["string"]), `${path}.labels`),
    ...annotationErrors(entriesOf(group.annotations, ["string"]), `${path}.annotations`),
    ...taintErrors(taints, `${path}.taints`),
    ...capacityErrors(entriesOf(group.capacity, ["string", "number"]), `${path}.capacity`),
  ];
}

function annotationErrors(
  annotations: Readonly<Record<string, string>>,
  path: string,
): readonly FieldError[] {
  return [
    ...validateAnnotations(annotations, path),
    ...nodeSimulationProblems(annotations).map(({ key, problem }) =>
      invalid(`${path}.${key}`, annotations[key], problem),
    ),
  ];
}

function nameErrors(name: string, count: number | undefined, path: string): readonly FieldError[] {
  const problems = dns1123SubdomainProblems(name);
  if (problems.length > 0) return problems.map((problem) => invalid(path, name, problem));
  // The name of a node is also the value of its hostname label, which has to be shorter than a name.
  const longest = `${name}-${Math.max(1, count ?? 1)}`;
  return labelValueProblems(longest).map((problem) =>
    invalid(path, name, `the label of ${longest} ${problem}`),
  );
}

function countErrors(count: number, path: string): readonly FieldError[] {
  const isCount = count >= 0 && count <= mostNodes;
  return isCount ? [] : [invalid(path, count, `must be a whole number from 0 to ${mostNodes}`)];
}

/** As the API server validates the taints of a Node, whose paths begin elsewhere. */
function taintErrors(taints: NodeGroup["taints"], path: string): readonly FieldError[] {
  const errors = validateNode({ spec: { taints: [...(taints ?? [])] } });
  return errors.map((error) => ({ ...error, field: error.field.replace(/^metadata\.taints/, path) }));
}

function capacityErrors(capacity: Readonly<Record<string, string>>, path: string): readonly FieldError[] {
  const isQuantity = ([, amount]: readonly [string, string]) => canonicalQuantity(amount) !== undefined;
  const entries = Object.entries(capacity);
  const valid = Object.fromEntries(entries.filter(isQuantity));
  const errors = validateNode({ status: { capacity: valid } });
  return [
    ...entries
      .filter((entry) => !isQuantity(entry))
      .map(([name, amount]) => invalid(`${path}.${name}`, amount, quantityProblem(amount))),
    ...errors.map((error) => ({ ...error, field: error.field.replace(/^status\.capacity/, path) })),
  ];
}

/** Nothing about Nodes depends on gates or time. */
const context = { gates: defaultFeatureGates, now: 0 };

function validateNode(node: Pick<Sent<Node>, "spec" | "status">): readonly FieldError[] {
  return nodeStrategy.validate?.({ metadata: { name: "node" }, ...node }, context) ?? [];
}

/** Maps of texts, which YAML likes to read as numbers and truths. */
function mapErrors(group: Partial<NodeGroup>, path: string): readonly FieldError[] {
  return [
    ...entryErrors(group.labels, `${path}.labels`, ["string"]),
    ...entryErrors(group.annotations, `${path}.annotations`, ["string"]),
    ...entryErrors(group.capacity, `${path}.capacity`, ["string", "number"]),
  ];
}

function entryErrors(map: unknown, path: string, types: readonly string[]): readonly FieldError[] {
  if (map === undefined) return [];
  if (!isJsonObject(map)) return [wrongType(path, map, "must be an object")];
  return Object.entries(map)
    .filter(([, value]) => !types.includes(typeof value))
    .map(([key, value]) => wrongType(`${path}.${key}`, value, `must be a ${types.join(" or a ")}`));
}

function wrongType(field: string, value: unknown, detail: string): FieldError {
  return { type: "FieldValueTypeInvalid", field, value, detail };
}

/** The entries of a map that are of a right type, as texts. */
function entriesOf(map: unknown, types: readonly string[]): Readonly<Record<string, string>> {
  if (!isJsonObject(map)) return {};
  const texts = Object.entries(map).flatMap(([key, value]) =>
    types.includes(typeof value) ? [[key, `${value as string | number}`] as const] : [],
  );
  return Object.fromEntries(texts);
}
