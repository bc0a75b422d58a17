import { priorityOf } from "../objects/pod-info.ts";
import { type PreemptionCandidate, startOf } from "./select-victims.ts";

/** A candidate is better than another by the first of these that differs: the smaller value is better. */
interface Criterion {
  readonly because: string;
  readonly value: (candidate: PreemptionCandidate) => number;
}

// upstream: priorities are shifted so that more victims of a negative priority do not make a smaller sum
const shift = 2 ** 31;

const criteria: readonly Criterion[] = [
  { because: "fewest disruption budgets violated", value: ({ violations }) => violations },
  { because: "its most important victim is the least important", value: highestPriority },
  {
    because: "smallest sum of the victims' priorities",
    value: ({ victims }) => victims.reduce((sum, { pod }) => sum + priorityOf(pod) + shift, 0),
  },
  { because: "fewest victims", value: ({ victims }) => victims.length },
  { because: "its most important victims started last", value: (candidate) => -earliestStart(candidate) },
];

/** The best candidate, and what decided for it (upstream: pickOneNodeForPreemption). */
export function chooseCandidate(
  candidates: readonly PreemptionCandidate[],
): { readonly candidate: PreemptionCandidate; readonly because: string } | undefined {
  let left = candidates;
  let because = "the only node where preemption helps";
  for (const criterion of criteria) {
    if (left.length <= 1) break;
    const least = Math.min(...left.map(criterion.value));
    const best = left.filter((candidate) => criterion.value(candidate) === least);
    because = best.length < left.length ? criterion.because : "as good as any other, and found first";
    left = best;
  }
  const [candidate] = left;
  return candidate === undefined ? undefined : { candidate, because };
}

function highestPriority({ victims: [first] }: PreemptionCandidate): number {
  return first === undefined ? -Infinity : priorityOf(first.pod);
}

/** Returns the earliest start among the victims with the highest priority; the others do not matter. */
function earliestStart(candidate: PreemptionCandidate): number {
  const highest = highestPriority(candidate);
  const important = candidate.victims.filter(({ pod }) => priorityOf(pod) === highest);
  return Math.min(...important.map(startOf));
}
