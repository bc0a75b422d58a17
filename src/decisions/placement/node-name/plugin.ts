import { fits, type Plugin, unresolvable } from "../plugin.ts";
import type { PluginEntry } from "../plugin-entry.ts";
import { templateHints } from "../cluster-event.ts";
import { stringOf } from "../objects/reading.ts";

/** Rejects every node but the one the Pod names, if it names one. */
export const nodeName: Plugin = {
  name: "NodeName",

  preFilter({ pod }) {
    const wanted = stringOf(pod.spec?.nodeName);
    if (wanted === "") return undefined;
    const refusal = unresolvable("node(s) didn't match the requested node name", `only ${wanted} will do`);
    return { filter: (node) => (node.name === wanted ? fits : refusal) };
  },
};

export const nodeNameEntry = {
  name: "NodeName",
  points: ["filter"],
  create: () => nodeName,
  // The named node may be the one that is added.
  hints: () => templateHints(["Node/Add"]),
} as const satisfies PluginEntry;
