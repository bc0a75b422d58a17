import { formatDuration, humanDuration } from "../../api/duration.ts";
import type { Pod } from "../../api/generated/core-v1.ts";
import { nodeOf } from "../downscale/co-location.ts";
import { bucketStartMs, unknownAge } from "../downscale/log-bucket.ts";
import type { DecidedPod, Reason } from "../downscale/reason.ts";
import { type Key, preferredLabel, type RuleName } from "../downscale/rules.ts";
import { topologyName } from "../downscale/topology-name.ts";

/** Why a Pod is removed, to be put behind a statement that it is: `co-located: 3 Pods of this workload on node-2, web-4 has 1`. */
export function removalReason({ pod, because, isOpen, isLastFree }: DecidedPod): string {
  if (isOpen === true) return eitherReason;
  if (because === undefined)
    return isLastFree === true ? "all Pods that are not protected go" : "all Pods go";
  return because.rule === "uid" ? `uid: ${chance("chosen", because)}` : explain(pod, because.rule, because);
}

/** Why a Pod stays, in the same form. */
export function survivalReason({ pod, because, isOpen }: DecidedPod): string {
  if (isOpen === true) return eitherReason;
  if (because === undefined) return "no Pod goes";
  return because.rule === "uid" ? `uid: ${chance("kept", because)}` : explain(pod, because.rule, because);
}

/** The reason for a Pod whose removal an order leaves open. */
export const eitherReason = "either: the order does not decide between this Pod and others";

/** UIDs are random, so to compare them is to draw lots; Pods without a UID of their own are compared by name. */
function chance(outcome: "chosen" | "kept", { unit }: Reason): string {
  return `no rule tells them apart; ${outcome} ${unit === "name" ? "by name" : "at random by UID"}`;
}

/** One of the two compared Pods, and the key the rule compared. */
interface Side {
  readonly pod: Pod;
  readonly value: Key;
  readonly unit: Reason["unit"];
}

/** The phrases for a Pod and for the one it was compared with; the latter follows that Pod's name. */
type Sentence = (own: Side, other: Side) => readonly [own: string, other: string];

const sentences: Readonly<Record<Exclude<RuleName, "uid" | "spread">, Sentence>> = {
  unassigned: (own, other) => [`on ${node(own)}`, `is on ${node(other)}`],
  phase: (own, other) => [phase(own), `is ${phase(other)}`],
  "not-ready": (own, other) => [readiness(own), `is ${readiness(other)}`],
  "deletion-cost": (own, other) => [`${own.value}`, `has ${other.value}`],
  preferred: (own) => (own.value === 1 ? [`labelled ${preferredLabel}`, "is not"] : ["not labelled", "is"]),
  picker: (own, other) => [pick(own), `is ${pick(other)}`],
  consolidate: (own, other) => emptying[own.unit === "leaving" ? "leaving" : "load"](own, other),
  "co-located": (own, other) => [
    `${plural(own.value, "Pod")} of this workload on ${node(own)}`,
    `has ${other.value}`,
  ],
  "machine-cost": (own, other) => [`${own.value} by a program`, `has ${other.value}`],
  "ready-time": (own, other) => [`Ready ${readyFor(own)}`, readyFor(other)],
  restarts: (own, other) => [
    plural(own.value, own.unit === "sidecars" ? "sidecar restart" : "restart"),
    `has ${other.value}`,
  ],
  "creation-time": (own, other) => [`created ${createdAgo(own)}`, createdAgo(other)],
};

const emptying: Readonly<Record<"leaving" | "load", Sentence>> = {
  leaving: (own, other) =>
    own.value === 1
      ? [`${node(own)} is to be empty`, `is on ${node(other)}`]
      : [`on ${node(own)}`, `is on ${node(other)}, which is to be empty`],
  load: (own, other) =>
    own.unit === "node"
      ? [`${node(own)} is emptied first`, `is on ${node(other)}`]
      : [`${plural(own.value, "Pod")} in all on ${node(own)}`, `has ${other.value} on ${node(other)}`],
};

function explain(pod: Pod, rule: Exclude<RuleName, "uid">, because: Reason): string {
  const { unit, value, against, ignored = [] } = because;
  const name = against.pod.metadata?.name ?? "another";
  const note = ignored.length === 0 ? "" : ` (ignored: ${ignored.join("; ")})`;
  if (rule === "spread") return `spread: ${comparedCounts(pod, because, name)}${note}`;
  const [own, other] = sentences[rule]({ pod, value, unit }, { ...against, unit });
  return `${rule}: ${own}, ${name} ${other}${note}`;
}

/** `zone b has 7 Pods, zone a 5`: how many there are when it is the turn of each of the two. */
function comparedCounts(pod: Pod, { value, against, topology }: Reason, otherName: string): string {
  const { key = "", domain, against: other } = topology ?? {};
  const noun = topologyName(key);
  if (domain === undefined) return `${node({ pod })} has no ${noun}, ${otherSide()}`;
  const own = `${noun} ${domain} has ${plural(value, "Pod")}`;
  if (other === undefined) return `${own}, ${otherSide()}`;
  return domain === other
    ? `${own}, ${against.value} when ${otherName} is next`
    : `${own}, ${noun} ${other} ${against.value}`;

  function otherSide(): string {
    if (other === undefined) return `${otherName} has no ${noun}`;
    return `${noun} ${other} has ${plural(against.value, "Pod")}`;
  }
}

function node({ pod }: Pick<Side, "pod">): string {
  return nodeOf(pod) || "no node";
}

function phase({ pod }: Side): string {
  const name = pod.status?.phase ?? "";
  const isKnown = ["Pending", "Unknown", "Running"].includes(name);
  return isKnown ? name : `${name || "without a phase"} (counts as Pending)`;
}

function readiness({ value }: Side): string {
  return value === 1 ? "Ready" : "not Ready";
}

function pick({ value }: Side): string {
  if (value === 0) return "chosen";
  return value === 1 ? "tied" : "not named";
}

function readyFor(side: Side): string {
  return describeAge(side, { known: (span) => `for ${span}`, unknown: "since an unknown time" });
}

function createdAgo(side: Side): string {
  return describeAge(side, { known: (span) => `${span} ago`, unknown: "at an unknown time" });
}

function plural(count: Key, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}

/** An age as a rule compared it. */
interface ComparedAge {
  readonly value: Key;
  readonly unit: Reason["unit"];
}

/** The phrases for a known and for an unknown age. */
interface Wording {
  readonly known: (span: string) => string;
  readonly unknown: string;
}

/** An age as it was compared: by the bounds of its bucket, or exactly where there are no buckets. */
function describeAge({ value, unit }: ComparedAge, { known, unknown }: Wording): string {
  const age = Number(value);
  if (age === (unit === "bucket" ? unknownAge : -Infinity)) return unknown;
  if (age < 0) return "just now";
  return known(unit === "bucket" ? describeBucket(age) : formatDuration(age));
}

function describeBucket(bucket: number): string {
  const from = humanDuration(bucketStartMs(bucket));
  const to = humanDuration(bucketStartMs(bucket + 1));
  return from === "0s" ? `up to ${to === "0s" ? "1s" : to}` : `${from} to ${to}`;
}
