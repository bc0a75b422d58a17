import {
  anyText,
  choice,
  type DocumentSchema,
  either,
  type Incomplete,
  integer,
  list,
  map,
  number,
  record,
  text,
  trimtabHead,
} from "../../api/documents/document-schema.ts";
import { defaultFeatureGates } from "../../api/feature-gates.ts";
import { repeatedNames } from "../../api/field-checks.ts";
import { type FieldError, invalid } from "../../api/field-error.ts";
import type { Node } from "../../api/generated/core-v1.ts";
import { nodeStrategy } from "../apiserver/kinds/node/strategy.ts";
import { validateAnnotations } from "../apiserver/kinds/object-meta/validate-object-meta.ts";
import type { Sent } from "../../api/sent.ts";
import { labelValueProblems, validateLabels } from "../../api/labels/label-syntax.ts";
import { dns1123SubdomainProblems } from "../../api/names.ts";
import { canonicalQuantity, quantityProblem } from "../../api/quantity/format-quantity.ts";
import { nodeSimulationProblems } from "../kubelet/behaviour/simulation-problems.ts";
import type { NodeGroup } from "./node-group.ts";

/** More than the largest cluster that Kubernetes supports. */
export const mostNodes = 16_384;
/** The number of letters that zones are named by. */
export const mostZones = 26;

const taint = record(
  "A taint of a node.",
  {
    key: text("Its key."),
    value: anyText("Its value."),
    effect: choice("What it does to Pods that do not tolerate it.", [
      "NoSchedule",
      "PreferNoSchedule",
      "NoExecute",
    ]),
  },
  { required: ["key", "effect"] },
);

const nodeGroup: DocumentSchema<NodeGroup> = record(
  "Nodes that are alike.",
  {
    name: text("The name of the group: its nodes are called after it, `gpu-1`, `gpu-2`."),
    count: integer("How many nodes it has.", [0, mostNodes]),
    zone: anyText("The zone of all its nodes; the zones of the cluster by turns unless said otherwise.", {
      check: (zone, path) => labelValueProblems(zone).map((problem) => invalid(path, zone, problem)),
    }),
    labels: map("Labels on top of those that every node has.", anyText("A value."), {
      check: validateLabels,
    }),
    annotations: map("Annotations on top of those that every node has.", anyText("A value."), {
      check: annotationErrors,
    }),
    taints: list("Taints.", taint, { check: taintErrors }),
    capacity: map(
      "Resources that differ from those of other nodes, or that only these have: `nvidia.com/gpu: 4`.",
      either("An amount.", "must be a text or a number", [anyText("A quantity."), number("A plain amount.")]),
      { check: capacityErrors },
    ),
  },
  { required: ["name", "count"], check: nameErrors },
);

/** Groups of nodes. */
const nodeGroups = list("Groups of nodes.", nodeGroup, { check: groupsErrors });

/** Equal nodes or groups of them, as scenarios and the options of a cluster have them. */
export const nodesSchema = (description: string) =>
  either(description, `must be a whole number from 0 to ${mostNodes}, or a list of node groups`, [
    integer("How many equal ones.", [0, mostNodes]),
    nodeGroups,
  ]);

export const nodeGroupsKind = "NodeGroups";

/** The schema of a NodeGroups file. */
export const nodeGroupsSchema = record(
  "Groups of simulated nodes, for `trimtab up --nodes-file`.",
  { ...trimtabHead(nodeGroupsKind), groups: nodeGroups },
  {
    $id: "https://trimtab.dev/schemas/node-groups-v1alpha1.json",
    title: "Trimtab node groups",
    required: ["apiVersion", "kind", "groups"],
  },
);

function groupsErrors(groups: readonly Incomplete<NodeGroup>[], path: string): readonly FieldError[] {
  const total = groups.reduce((sum, { count = 0 }) => sum + count, 0);
  return [
    ...repeatedNames(groups, path),
    ...(total > mostNodes ? [invalid(path, total, `must be at most ${mostNodes} nodes together`)] : []),
  ];
}

function nameErrors({ name, count = 1 }: Incomplete<NodeGroup>, path: string): readonly FieldError[] {
  if (name === undefined) return [];
  const problems = dns1123SubdomainProblems(name);
  // The name of a node is also the value of its hostname label, which has to be shorter than a name.
  const longest = `${name}-${Math.max(1, count)}`;
  const tooLong = labelValueProblems(longest).map((problem) => `the label of ${longest} ${problem}`);
  return (problems.length > 0 ? problems : tooLong).map((problem) => invalid(`${path}.name`, name, problem));
}

type Texts = Readonly<Record<string, string>>;

function annotationErrors(annotations: Texts, path: string): readonly FieldError[] {
  return [
    ...validateAnnotations(annotations, path),
    ...nodeSimulationProblems(annotations).map(({ key, problem }) =>
      invalid(`${path}.${key}`, annotations[key], problem),
    ),
  ];
}

/** Validates taints as the API server does for a Node, whose paths begin elsewhere. */
function taintErrors(
  taints: Incomplete<NonNullable<NodeGroup["taints"]>>,
  path: string,
): readonly FieldError[] {
  const errors = validateNode({ spec: { taints } });
  return errors.map((error) => ({ ...error, field: error.field.replace(/^metadata\.taints/, path) }));
}

function capacityErrors(
  capacity: Readonly<Record<string, string | number>>,
  path: string,
): readonly FieldError[] {
  const amounts = Object.entries(capacity).map(([name, amount]) => [name, String(amount)] as const);
  const isQuantity = ([, amount]: readonly [string, string]) => canonicalQuantity(amount) !== undefined;
  const valid = Object.fromEntries(amounts.filter(isQuantity));
  const errors = validateNode({ status: { capacity: valid } });
  return [
    ...amounts
      .filter((entry) => !isQuantity(entry))
      .map(([name, amount]) => invalid(`${path}.${name}`, amount, quantityProblem(amount))),
    ...errors.map((error) => ({ ...error, field: error.field.replace(/^status\.capacity/, path) })),
  ];
}

/** A fixed context: the validation of Nodes depends on neither gates nor time. */
const context = { gates: defaultFeatureGates, now: 0 };

function validateNode(node: Pick<Sent<Node>, "spec" | "status">): readonly FieldError[] {
  return nodeStrategy.validate?.({ metadata: { name: "node" }, ...node }, context) ?? [];
}
