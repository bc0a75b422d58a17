import { fits, type Plugin, unresolvable } from "../plugin.ts";
import { stringOf } from "../../../src/decisions/placement/objects/reading.ts";

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
