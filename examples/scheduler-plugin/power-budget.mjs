import { fits, queueingHints, unschedulable } from "trimtab/scheduler";

const annotation = "example.com/watts";
const wattsOf = ({ metadata }) => Number(metadata.annotations?.[annotation] ?? 0);

/** Keeps the Pods of a node within the power that its annotation grants; prefers the node with the most power left. */
export const powerBudget = {
  name: "PowerBudget",
  points: ["preFilter", "filter", "preScore", "score"],

  args: {
    schema: {
      type: "object",
      properties: { reservedWatts: { type: "integer", minimum: 0 } },
      additionalProperties: false,
    },
    setDefaults: ({ reservedWatts = 0 }) => ({ reservedWatts }),
  },

  create({ reservedWatts }) {
    const freeOn = ({ node, pods }) =>
      pods.reduce((free, { pod }) => free - wattsOf(pod), wattsOf(node) - reservedWatts);
    return {
      name: "PowerBudget",

      preFilter({ pod }) {
        const wanted = wattsOf(pod);
        if (wanted === 0) return undefined;
        return {
          filter(node) {
            const free = freeOn(node);
            if (free >= wanted) return fits;
            return unschedulable("node(s) had too little power", `${wanted} W wanted, ${free} W free`);
          },
        };
      },

      preScore: () => ({
        kind: "scores",
        score: (node) => Math.max(0, freeOn(node)),
        normalize: (raw) => raw.map((watts) => Math.floor((100 * watts) / Math.max(1, ...raw))),
      }),
    };
  },

  // What may make a Pod schedulable that was rejected: power that is released, or granted.
  hints: () => queueingHints(["Pod/Delete", "Node/Add", "Node/UpdateNodeAnnotation"]),
};
