import type { Pod } from "../../src/api/generated/core-v1.ts";
import { upstreamOrder } from "../../src/decisions/downscale/kubernetes-order.ts";
import type { Facts } from "../../src/decisions/downscale/facts.ts";
import { rankPods } from "../../src/decisions/downscale/rank-pods.ts";
import { type DownscaleInput, factsOf } from "./downscale-input.ts";
import type { Check } from "./kinds.ts";

interface Vector extends DownscaleInput {
  /** Whether Pod i goes before Pod j; null where our order differs from upstream's on purpose. */
  readonly before: readonly (readonly (boolean | null)[])[];
}

type Relation = "before" | "after" | "tied with";

/** Upstream's verdict on every pair: both our order and our account of upstream's have to agree with it. */
export const checkDownscaleOrder: Check = (vector) => {
  const { before, ...input } = vector as Vector;
  const facts = factsOf(input);
  const ranked = rankPods(input.pods, facts).pods;
  const { compare } = upstreamOrder(input.pods, facts);
  for (const [i, one] of input.pods.entries()) {
    for (const [j, other] of input.pods.entries()) {
      const want = i === j ? undefined : relation(before[i]?.[j], before[j]?.[i]);
      if (want === undefined) continue;
      const outcome = compare(i, j);
      const upstream = relation(outcome < 0, outcome > 0);
      const ours = want === "tied with" ? pairwise([one, other], facts) : placed(ranked, one, other);
      if (upstream !== want || ours !== want)
        return `${one.metadata.name} is ${ours} (upstream: ${upstream}) ${other.metadata.name}, want ${want}`;
    }
  }
  return undefined;
};

function relation(
  isBefore: boolean | null | undefined,
  isAfter: boolean | null | undefined,
): Relation | undefined {
  if (typeof isBefore !== "boolean" || typeof isAfter !== "boolean") return undefined;
  if (isBefore) return "before";
  return isAfter ? "after" : "tied with";
}

function placed(ranked: readonly Pod[], one: Pod, other: Pod): Relation {
  return ranked.indexOf(one) < ranked.indexOf(other) ? "before" : "after";
}

/** What our rules make of two Pods when the UID, which upstream has not as a last resort, is left out. */
function pairwise(pair: readonly [Pod, Pod], facts: Facts): Relation {
  const { pods, why } = rankPods(pair, facts);
  if (why(0)?.rule === "uid") return "tied with";
  return pods[0] === pair[0] ? "before" : "after";
}
