import type { Node } from "../../../api/generated/core-v1.ts";
import { kwokNodeSettings } from "./kwok.ts";
import { podSettingNames } from "./pod-settings.ts";
import { simulationPrefix } from "./simulation-prefix.ts";
import { duration, factor, flag, flapPeriod, type ValueReader } from "./setting-values.ts";

/** How a simulated node behaves, as its annotations say. */
export interface NodeBehaviour {
  /** The kubelet reports that the node is not ready, and why. */
  readonly notReady?: { readonly reason: string; readonly message: string };
  /** The kubelet neither renews the Lease of its node nor does anything for its Pods. */
  readonly unreachable: boolean;
  /** How many times as long everything takes for its Pods. */
  readonly slow: number;
  /** How long the node is ready, and then not, by turns. */
  readonly flapMs?: number;
  /** Why the kubelet refuses new Pods. */
  readonly rejectReason?: string;
  /** The node is being shut down: its Pods fail, and no new ones are accepted. */
  readonly shutdown: boolean;
  /** From when the node is told so until it is deleted. */
  readonly deleteAfterMs?: number;
}

const healthy: NodeBehaviour = { unreachable: false, slow: 1, shutdown: false };

/** The settings of a node, what Pods on it inherit, and a sentence for each that is not known or makes no sense. */
export interface ReadNodeBehaviour {
  readonly behaviour: NodeBehaviour;
  /** Settings of Pods that are set on the node, by name. */
  readonly podSettings: Readonly<Record<string, string>>;
  readonly problems: readonly string[];
}

type Reader = (text: string) => Partial<NodeBehaviour> | { readonly problem: string };

const noDraw = () => 0;

const setting =
  <T>(read: ValueReader<T>, member: (value: T) => Partial<NodeBehaviour>): Reader =>
  (text) => {
    const result = read(text, noDraw);
    return "problem" in result ? result : member(result.value);
  };

const simulatedNotReady = {
  reason: "KubeletNotReady",
  message: "the simulated node is told not to be ready",
};

/** What the admission of a real kubelet answers; the reason becomes the one of the Pod's status. */
const rejectReasons = [
  "OutOfcpu",
  "OutOfmemory",
  "OutOfpods",
  "OutOfephemeral-storage",
  "NodeAffinity",
  "Shutdown",
];

const readers: Readonly<Record<string, Reader>> = {
  notReady: setting(flag, (isSet) => (isSet ? { notReady: simulatedNotReady } : {})),
  unreachable: setting(flag, (unreachable) => ({ unreachable })),
  slow: setting(factor, (slow) => ({ slow })),
  flap: setting(flapPeriod, (flapMs) => ({ flapMs })),
  reject: (text) =>
    rejectReasons.includes(text)
      ? { rejectReason: text }
      : { problem: `must be one of ${rejectReasons.join(", ")}` },
  shutdown: setting(flag, (shutdown) => ({ shutdown })),
  delete: setting(duration, (deleteAfterMs) => ({ deleteAfterMs })),
};

/** The names of everything a node can be told. */
export const nodeSettingNames: readonly string[] = Object.keys(readers);

/** Reads a node's simulation annotations, and those of KWOK; invalid ones have no effect. */
export function readNodeBehaviour({ metadata }: Pick<Node, "metadata">): ReadNodeBehaviour {
  const { annotations = {}, labels = {} } = metadata;
  const notReady = kwokNodeSettings(labels, annotations);
  let behaviour: NodeBehaviour = notReady === undefined ? healthy : { ...healthy, notReady };
  const podSettings: Record<string, string> = {};
  const problems: string[] = [];
  for (const [key, text] of Object.entries(annotations)) {
    if (!key.startsWith(simulationPrefix)) continue;
    const name = key.slice(simulationPrefix.length);
    if (podSettingNames.includes(name)) {
      podSettings[name] = text;
      continue;
    }
    const read = readSetting(name, text);
    if ("problem" in read) problems.push(`${key} ${read.problem}`);
    else behaviour = { ...behaviour, ...read };
  }
  return { behaviour, podSettings, problems };
}

function readSetting(name: string, text: string): Partial<NodeBehaviour> | { readonly problem: string } {
  const read = Object.hasOwn(readers, name) ? readers[name] : undefined;
  return read === undefined
    ? { problem: `is not known (known: ${nodeSettingNames.join(", ")})` }
    : read(text);
}

/** Whether the kubelet of a node does nothing and says nothing. */
export function isUnreachable(node: Pick<Node, "metadata">): boolean {
  return node.metadata.annotations?.[`${simulationPrefix}unreachable`] === "true";
}
