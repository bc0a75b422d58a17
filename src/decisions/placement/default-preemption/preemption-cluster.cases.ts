import type { Node, Pod, PodCondition } from "../../../api/generated/core-v1.ts";
import type { PodDisruptionBudget } from "../../../api/generated/policy-v1.ts";
import { node } from "../../../testing/node.ts";
import { pod, type PodTraits } from "../../../testing/pod.ts";
import { runToEnd } from "../../../testing/run-to-end.ts";
import { defaultPlugins } from "../default-plugins.ts";
import { evaluateNodes } from "../evaluate-nodes.ts";
import { placePod } from "../place-pod.ts";
import type { PostFilterResult } from "../plugin.ts";
import { pluginSetOf } from "../plugin-entry.ts";
import { runPostFilter } from "../run-post-filter.ts";
import { podInfo } from "../objects/pod-info.ts";
import { answerOfBoth } from "../plugin-fixture.cases.ts";
import { clusterViewOf } from "../view/list-view.ts";
import { defaultPreemption } from "./plugin.ts";

/** A Pod on a node. */
export interface Running extends PodTraits {
  readonly on: string;
  readonly name: string;
  readonly cpu?: number;
  readonly priority?: number;
  readonly startedAt?: string;
  readonly conditions?: readonly PodCondition[];
}

/** A cluster of nodes with 4 CPUs, unless others are given, and a Pod that looks for a place. */
export interface PreemptionCase {
  readonly nodes?: readonly Node[];
  readonly running: readonly Running[];
  readonly budgets?: readonly PodDisruptionBudget[];
  readonly incoming?: { readonly cpu?: number; readonly priority?: number } & PodTraits;
  /** The Pods nominated to nodes, by the name of the node. */
  readonly nominated?: Readonly<Record<string, readonly Pod[]>>;
  readonly nominatedNode?: string;
}

function runningPod({ on, name, cpu = 1, priority = 0, startedAt, conditions, ...traits }: Running): Pod {
  const made = pod(name, { node: on, ...traits, spec: { ...requesting(cpu), priority, ...traits.spec } });
  const startTime = startedAt ?? "2026-01-01T00:00:00Z";
  return { ...made, status: { ...made.status, startTime, ...(conditions && { conditions }) } };
}

export function preemptingPod({ cpu = 1, priority = 100, ...traits }: PreemptionCase["incoming"] = {}): Pod {
  return pod("incoming", {
    node: null,
    phase: "Pending",
    ...traits,
    spec: { ...requesting(cpu), priority, ...traits.spec },
  });
}

const requesting = (cpu: number) => ({
  containers: [{ name: "app", image: "app:1", resources: { requests: { cpu: String(cpu) } } }],
});

/** A budget for the Pods with a label `app`, by default `web`, which all have. */
export function budget(disruptionsAllowed: number, app = "web"): PodDisruptionBudget {
  const metadata = { name: `${app}-budget`, namespace: "default", uid: app, resourceVersion: "1" };
  return { metadata, spec: { selector: { matchLabels: { app } } }, status: { disruptionsAllowed } };
}

const pluginSet = pluginSetOf(defaultPlugins());

/** Places the Pod of a case and, if it fits nowhere, runs PostFilter; `undefined` when it has a node. */
export function preemptFor(given: PreemptionCase): PostFilterResult | undefined {
  const { nodes = [node("a")], running, nominated = {}, budgets = [] } = given;
  const incoming = preemptingPod(given.incoming);
  const nominatedPods = (name: string) => (nominated[name] ?? []).map(podInfo);
  const { postFilter } = defaultPreemption({
    minCandidateNodesPercentage: 10,
    minCandidateNodesAbsolute: 100,
  });
  return answerOfBoth({ nodes, pods: running.map(runningPod) }, (cluster) => {
    const placement = placePod(incoming, cluster, { pluginSet, draw: () => 0, nominatedPods });
    const steps = runPostFilter(placement, cluster, {
      postFilter,
      pluginSet,
      nominatedPods,
      nominatedNode: given.nominatedNode,
      budgetsIn: (namespace) => budgets.filter(({ metadata }) => metadata.namespace === namespace),
      draw: () => 0,
    });
    return runToEnd(steps);
  });
}

/** Whether the Pod of a case passes every filter on a node as it is. */
export function fitsOn({ nodes = [node("a")], running, incoming }: PreemptionCase, name: string): boolean {
  const cluster = clusterViewOf({ nodes, pods: running.map(runningPod) });
  const evaluation = evaluateNodes(preemptingPod(incoming), cluster, pluginSet);
  return evaluation.kind === "evaluated" && evaluation.scored.some((scored) => scored.node === name);
}
