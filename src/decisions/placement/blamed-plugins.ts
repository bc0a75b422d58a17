import type { Placement } from "./place-pod.ts";

/**
 * The plugins that keep a Pod waiting, by name: what has to change for it to be worth another try. Nobody is to blame
 * for a Pod that was placed, for an empty cluster, or when something went wrong.
 */
export function blamedPlugins({ outcome, refused, leftOut }: Placement): readonly string[] {
  switch (outcome.kind) {
    case "placed":
    case "no-nodes":
    case "failed":
      return [];
    case "refused":
      return outcome.rejection.plugins;
    case "unfit": {
      const all = [...refused.map(({ rejection }) => rejection), ...(leftOut === undefined ? [] : [leftOut])];
      return [...new Set(all.flatMap(({ plugins }) => plugins))].sort();
    }
  }
}
