import type { Limit, RevisionLimit } from "../rollout/limit.ts";

/** A revision, its size and what limits it, as one line: `web-7d (revision 3): 5 Pods; waits for …`. */
export function describeRevisionLimit({ role, replicaSet, revision, size, limit }: RevisionLimit): string {
  const numbered = revision === undefined ? "" : ` (revision ${revision})`;
  const name = replicaSet === undefined ? `the ${role} revision` : `${replicaSet}${numbered}`;
  return `${name}: ${count(size, "Pod")}; ${describeLimit(limit)}`;
}

/** What limits a revision, with the numbers that prove it. */
export function describeLimit(limit: Limit): string {
  switch (limit.kind) {
    case "none":
      return "has the size it is to have";
    case "complete":
      return "rolled out";
    case "next-pass":
      return "goes on at once";
    case "paused":
      return "waits for the Deployment to be resumed";
    case "surge":
      return `waits for Pods to go: ${count(limit.pods, "Pod")} ${reach(limit.pods)} ${describeCap(limit)}`;
    case "terminating":
      return `waits for ${describeTerminating(limit.terminating)}: ${describeUsage(limit)}`;
    case "terminating-unknown":
      return `waits for ${listed(limit.replicaSets)} to say how many Pods are terminating`;
    case "unreported":
      return `waits for ${listed(limit.replicaSets)} to report on ${limit.replicaSets.length === 1 ? "its size" : "their sizes"}`;
    case "unavailable":
      return `waits for Pods to become available: ${describeAvailability(limit)}`;
    case "protected":
      return `waits for protected Pods: ${limit.message}`;
    case "old-pods":
      return `waits for the old revisions to end: ${describeRemaining(limit)}`;
    case "progress-deadline":
      return limit.exceeded
        ? `stuck: ${describeMissing(limit)} after ${limit.deadlineSeconds} s without progress`
        : `waits for its Pods, at most ${limit.deadlineSeconds} s without progress: ${describeMissing(limit)}`;
    case "availability":
      return `waits for its Pods: ${describeMissing(limit)}`;
    case "draining":
      return `complete once ${describeTerminating(limit.terminating)} ${limit.terminating === 1 ? "is" : "are"} gone`;
  }
}

type Numbers<Kind extends Limit["kind"]> = Extract<Limit, { kind: Kind }>;

function describeUsage(limit: Numbers<"terminating">): string {
  const { pods, terminating } = limit;
  return `${count(pods, "Pod")} + ${terminating} terminating ${reach(pods + terminating)} ${describeCap(limit)}`;
}

function describeCap({ replicas, maxSurge }: Pick<Numbers<"surge">, "replicas" | "maxSurge">): string {
  return maxSurge === 0 ? count(replicas, "replica") : `${count(replicas, "replica")} + maxSurge ${maxSurge}`;
}

function describeAvailability({ available, replicas, maxUnavailable }: Numbers<"unavailable">): string {
  return `${available} available, and ${count(replicas, "replica")} − maxUnavailable ${maxUnavailable} must stay`;
}

function describeMissing({
  available,
  replicas,
}: {
  readonly available: number;
  readonly replicas: number;
}): string {
  return `${available} of ${replicas} available`;
}

function describeRemaining({ running, terminating, unreported }: Numbers<"old-pods">): string {
  const phrases = [
    running > 0 ? `${running} running` : "",
    terminating > 0 ? `${terminating} terminating` : "",
    unreported > 0 ? `${count(unreported, "ReplicaSet")} yet to report` : "",
  ];
  return phrases.filter((phrase) => phrase !== "").join(", ");
}

function describeTerminating(terminating: number): string {
  return count(terminating, "terminating Pod");
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? "" : "s"}`;
}

function reach(number: number): string {
  return number === 1 ? "reaches" : "reach";
}

function listed(names: readonly string[]): string {
  return names.join(", ");
}
