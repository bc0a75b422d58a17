import type { Node } from "../../../api/generated/core-v1.ts";
import { kwokNodeSettings } from "./kwok.ts";
import { podSettingNames } from "./pod-settings.ts";
import { simulationPrefix } from "./simulation-prefix.ts";
import { durationSetting, factor, flagSetting, flapPeriod, type ValueReader } from "./setting-values.ts";

/** How a simulated node behaves, as its annotations say. */
export interface NodeBehaviour {
  /** The kubelet reports that the node is not ready, and why. */
  readonly notReady?: { readonly reason: string; readonly message: string };
  /** The kubelet neither renews the Lease of its node nor does anything for its Pods. */
  readonly unreachable: boolean;
  /** The factor by which everything takes longer for its Pods. */
  readonly slow: number;
  /** How long the node is ready, and then not, in turns. */
  readonly flapMs?: number;
  /** Why the kubelet refuses new Pods. */
  readonly rejectReason?: string;
  /** The node is being shut down: its Pods fail, and no new ones are accepted. */
  readonly shutdown: boolean;
  /** The time from the setting's appearance to the deletion of the node. */
  readonly deleteAfterMs?: number;
}

const healthy: NodeBehaviour = { unreachable: false, slow: 1, shutdown: false };

/**
 * The behaviour of a node, the settings its Pods inherit, and a sentence for each setting that is unknown or invalid.
 */
export interface ReadNodeBehaviour {
  readonly behaviour: NodeBehaviour;
  /** Settings for Pods that are set on the node, by name. */
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

/** The reasons with which a real kubelet refuses a Pod; the status of the Pod gets the reason. */
const rejectReasons = [
  "OutOfcpu",
  "OutOfmemory",
  "OutOfpods",
  "OutOfephemeral-storage",
  "NodeAffinity",
  "Shutdown",
];

const readers: Readonly<Record<string, Reader>> = {
  notReady: setting(flagSetting, (isSet) => (isSet ? { notReady: simulatedNotReady } : {})),
  unreachable: setting(flagSetting, (unreachable) => ({ unreachable })),
  slow: setting(factor, (slow) => ({ slow })),
  flap: setting(flapPeriod, (flapMs) => ({ flapMs })),
  reject: (text) =>
    rejectReasons.includes(text)
      ? { rejectReason: text }
      : { problem: `must be one of ${rejectReasons.join(", ")}` },
  shutdown: setting(flagSetting, (shutdown) => ({ shutdown })),
  delete: setting(durationSetting, (deleteAfterMs) => ({ deleteAfterMs })),
};

/** The names of all settings of a node. */
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

/** Reports whether the kubelet of a node neither acts nor reports. */
export function isUnreachable(node: Pick<Node, "metadata">): boolean {
  return node.metadata.annotations?.[`${simulationPrefix}unreachable`] === "true";
}
