import type { PluginArgs } from "../../../decisions/placement/default-plugins.ts";
import { interPodAffinityHints } from "./inter-pod-affinity-hints.ts";
import {
  nodeAffinityHints,
  nodeNameHints,
  nodeUnschedulableHints,
  schedulingGatesHints,
  taintTolerationHints,
} from "./node-hints.ts";
import { podTopologySpreadHints } from "./pod-topology-spread-hints.ts";
import type { QueueingHints } from "./queueing-hints.ts";
import { nodePortsHints, nodeResourcesFitHints } from "./room-hints.ts";

/** The hints of every plugin that can refuse a Pod; against the no of any other, only time helps. */
export function pluginHints(args: PluginArgs): ReadonlyMap<string, QueueingHints> {
  return new Map<string, QueueingHints>([
    ["SchedulingGates", schedulingGatesHints],
    ["NodeUnschedulable", nodeUnschedulableHints],
    ["NodeName", nodeNameHints],
    ["TaintToleration", taintTolerationHints],
    ["NodeAffinity", nodeAffinityHints(args.NodeAffinity)],
    ["NodePorts", nodePortsHints],
    ["NodeResourcesFit", nodeResourcesFitHints(args.NodeResourcesFit)],
    ["PodTopologySpread", podTopologySpreadHints(args.PodTopologySpread ?? { defaultingType: "System" })],
    ["InterPodAffinity", interPodAffinityHints],
  ]);
}
