import { isUpdateOf, templateHints } from "../cluster-event.ts";
import { fits, type Plugin, unresolvable } from "../plugin.ts";
import type { PluginEntry } from "../plugin-entry.ts";
import { itemsOf, stringOf } from "../objects/reading.ts";

/** Keeps Pods out of the active queue while they have scheduling gates. */
export const schedulingGates: Plugin = {
  name: "SchedulingGates",

  preEnqueue({ pod }) {
    const gates = itemsOf(pod.spec?.schedulingGates);
    if (gates.length === 0) return fits;
    return unresolvable(
      `waiting for scheduling gates: [${gates.map(({ name }) => stringOf(name)).join(" ")}]`,
    );
  },
};

export const schedulingGatesEntry = {
  name: "SchedulingGates",
  points: ["preEnqueue"],
  create: () => schedulingGates,
  hints: () => templateHints(["Pod/UpdatePodSchedulingGatesEliminated"], isUpdateOf),
} as const satisfies PluginEntry;
