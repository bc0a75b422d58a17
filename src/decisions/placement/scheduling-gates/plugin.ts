import { itemsOf, textOf } from "../snapshot/reading.ts";
import { fits, type Plugin, unresolvable } from "../plugin.ts";

/** Keeps Pods from being tried while they have scheduling gates. */
export const schedulingGates: Plugin = {
  name: "SchedulingGates",

  preEnqueue({ pod }) {
    const gates = itemsOf(pod.spec?.schedulingGates);
    if (gates.length === 0) return fits;
    return unresolvable(`waiting for scheduling gates: [${gates.map(({ name }) => textOf(name)).join(" ")}]`);
  },

  preFilter: () => undefined,
};
