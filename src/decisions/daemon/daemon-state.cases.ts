import type { ControllerRevision } from "../../api/generated/apps-v1.ts";
import type { Node, Pod } from "../../api/generated/core-v1.ts";
import { daemonSets } from "../../api/resources.ts";
import { type Instant, parseTime } from "../../api/time.ts";
import { daemonSet, type DaemonSetTraits } from "../../testing/daemon-set.ts";
import { podTemplate } from "../../testing/deployment.ts";
import { node, type NodeTraits } from "../../testing/node.ts";
import { pod, type PodTraits } from "../../testing/pod.ts";
import { draftRevision, podRevisionLabel } from "../revisions/draft-revision.ts";
import { revisionDataOf } from "../revisions/revision-data.ts";
import type { DaemonPlan, DaemonState } from "./plan-daemon-set.ts";

/** When plans are made; Pods are Ready since the beginning of the year. */
export const decidedAt: Instant = parseTime("2026-01-02T00:00:00Z") ?? 0;

/** What a test says about a state. */
export interface StateTraits {
  /** How many nodes there are, called 1, 2 and so on, or which; absent: three. */
  readonly nodes?: number | readonly string[];
  readonly nodeTraits?: Readonly<Record<string, NodeTraits>>;
  /**
   * Such as `1o+ 2n-`: node, revision (old or new) and state: `+` available, `-` not Ready, `T` terminating, `F` failed,
   * `S` succeeded, `E` ended and terminating, `?` not bound to its node yet.
   */
  readonly pods?: string;
  readonly set?: DaemonSetTraits;
  readonly more?: Partial<DaemonState>;
}

const deletedAt = "2026-01-01T23:59:00Z";
const states: Readonly<Record<string, PodTraits>> = {
  "+": {},
  "-": { ready: false },
  T: { ready: false, deletedAt },
  F: { ready: false, phase: "Failed" },
  S: { ready: false, phase: "Succeeded" },
  E: { ready: false, phase: "Failed", deletedAt },
  "?": { ready: false, phase: "Pending", node: null },
};

/** A state of a DaemonSet `agent`, whose template has the revision `n`, after one that had the revision `o`. */
export function daemonState({
  nodes = 3,
  nodeTraits = {},
  pods = "",
  set,
  more,
}: StateTraits = {}): DaemonState {
  const names = typeof nodes === "number" ? Array.from({ length: nodes }, (_, i) => String(i + 1)) : nodes;
  const agent = daemonSet("agent", set);
  const tokens = pods.split(" ").filter((token) => token !== "");
  return {
    daemonSet: agent,
    nodes: names.map((name): Node => node(name, nodeTraits[name])),
    pods: tokens.map(daemonPod),
    revisions: [revision("o", 1), { ...revision("n", 2), data: revisionDataOf(agent.spec.template) }],
    isExpecting: false,
    now: decidedAt,
    ...more,
  };
}

/** A revision of the DaemonSet with another template. */
export function revision(hash: string, number: number): ControllerRevision {
  const agent = daemonSet("agent");
  const naming = { resource: daemonSets, name: `agent-${hash}`, hashLabel: podRevisionLabel, hash };
  const { metadata, ...draft } = draftRevision(agent, { ...naming, revision: number });
  const data = revisionDataOf(podTemplate(`registry.example/app:${hash}`));
  const name = metadata.name ?? "";
  return { ...draft, data, metadata: { ...metadata, name, uid: name, resourceVersion: "1" } };
}

/** The Pod of one token; the name of the second of a kind ends in `b`. */
function daemonPod(token: string, index: number, tokens: readonly string[]): Pod {
  const [, nodeName = "", hash = "", state = ""] = /^(\w+)([on])([-+TFSE?])$/.exec(token) ?? [];
  const isSecond = tokens.slice(0, index).some((other) => other.startsWith(nodeName + hash));
  const name = `${hash}${nodeName}${isSecond ? "b" : ""}`;
  const { node: bound = nodeName, ...traits } = states[state] ?? {};
  const made = pod(name, { labels: { [podRevisionLabel]: hash }, node: bound, ...traits });
  return { ...made, spec: { ...made.spec, affinity: onNode(nodeName) } };
}

function onNode(name: string): NonNullable<NonNullable<Pod["spec"]>["affinity"]> {
  const matchFields = [{ key: "metadata.name", operator: "In", values: [name] }];
  const requiredDuringSchedulingIgnoredDuringExecution = { nodeSelectorTerms: [{ matchFields }] };
  return { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution } };
}

/** What a plan does, one line each. */
export function actionsOf({ creations, deletions }: DaemonPlan): readonly string[] {
  return [
    ...creations.map(({ node: on, because }) => `create on ${on}: ${because.kind}`),
    ...deletions.map(({ pod: { metadata }, because }) => `delete ${metadata.name}: ${because.kind}`),
  ];
}

/** What a plan waits for. */
export function waitsOf({ waits }: DaemonPlan): readonly string[] {
  return waits.map(({ node: on, because }) => `${on}: ${because.kind}`);
}
