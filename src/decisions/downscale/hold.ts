import type { Instant } from "../../api/time.ts";

/**
 * Since when removals of one owner are held back. The owner keeps it as the value of a label, so that a restart does not
 * begin anew: `7_3.1763513000_2.1763513060` are five Pods beyond the size of 7, two of them a minute longer to wait.
 */
export interface Hold {
  /** The size for which the Pods were to go: a larger one ends the hold. */
  readonly size: number;
  /** The earliest first. */
  readonly steps: readonly HoldStep[];
}

/** Some of the Pods that are held back, and since when. Which ones they are is not kept: the order decides. */
export interface HoldStep {
  readonly pods: number;
  readonly since: Instant;
}

/** The longest label that the API allows has room for three steps; a further one is merged with the last. */
const mostSteps = 3;

const written = /^([0-9]{1,10})((?:_[0-9]{1,7}\.[0-9]{1,11})+)$/;

/** Reads the label; a value that is none of ours is no hold. */
export function readHold(text: string | undefined): Hold | undefined {
  const match = text === undefined ? null : written.exec(text);
  if (match === null) return undefined;
  const [, size = "", steps = ""] = match;
  return {
    size: Number(size),
    steps: steps
      .split("_")
      .slice(1)
      .map((step) => step.split(".").map(Number))
      .map(([pods = 0, seconds = 0]) => ({ pods, since: seconds * 1000 })),
  };
}

/** The value of the label. */
export function writeHold({ size, steps }: Hold): string {
  return [size, ...steps.map(({ pods, since }) => `${pods}.${Math.round(since / 1000)}`)].join("_");
}

/**
 * The hold of so many Pods. Those that were held before keep their beginning, others begin now. When fewer are held than
 * before, the longest waiting are taken to be those that went, so that no Pod has less time than the limit gives it.
 */
export function continueHold(
  before: Hold | undefined,
  { size, pods, now }: { readonly size: number; readonly pods: number; readonly now: Instant },
): Hold {
  const known = before === undefined || before.size < size ? [] : before.steps;
  const total = podsIn(known);
  const steps = pods < total ? withoutFirst(known, total - pods) : withLast(known, pods - total, now);
  return { size, steps };
}

function podsIn(steps: readonly HoldStep[]): number {
  return steps.reduce((sum, { pods }) => sum + pods, 0);
}

function withoutFirst(steps: readonly HoldStep[], gone: number): readonly HoldStep[] {
  let left = gone;
  return steps.flatMap((step) => {
    const taken = Math.min(left, step.pods);
    left -= taken;
    return taken === step.pods ? [] : [{ ...step, pods: step.pods - taken }];
  });
}

/** A label has whole seconds; they are rounded up, since a Pod may not go before its limit. */
function withLast(steps: readonly HoldStep[], pods: number, now: Instant): readonly HoldStep[] {
  if (pods === 0) return steps;
  const since = Math.ceil(now / 1000) * 1000;
  const last = steps.at(-1);
  const isMerged = last !== undefined && (last.since === since || steps.length === mostSteps);
  return isMerged ? [...steps.slice(0, -1), { pods: last.pods + pods, since }] : [...steps, { pods, since }];
}

/** How many Pods have been held back for as long as the limit allows. */
export function overdueIn({ steps }: Hold, limitMs: number, now: Instant): number {
  return podsIn(steps.filter(({ since }) => since + limitMs <= now));
}

/** When the next of the Pods may go although it is protected. */
export function nextLimitAt({ steps: [first] }: Hold, limitMs: number): Instant {
  return first === undefined ? Infinity : first.since + limitMs;
}
