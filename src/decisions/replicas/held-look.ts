import type { ReplicaSet } from "../../api/generated/apps-v1.ts";
import type { Pod } from "../../api/generated/core-v1.ts";
import { heldAtLabel, removalDueLabel } from "../../api/pod-protection.ts";
import type { Instant } from "../../api/time.ts";
import { protectionEndsAt, type ProtectedPod, splitByProtection } from "../downscale/protection.ts";
import { heldRemoval, type HeldRemoval, holdOf } from "./held-removal.ts";
import { desiredReplicasOf } from "./replica-owner.ts";
import type { HoldEnd } from "./replica-set-action.ts";

/** A ReplicaSet that holds Pods back on a stock cluster, where its size includes them. */
export interface HeldInput {
  /** With the protection that its workload asks for. */
  readonly owner: ReplicaSet;
  /** Its active Pods. */
  readonly active: readonly Pod[];
  /** Whether a pod picker may protect Pods, too; only its answer says which ones. */
  readonly hasPicker: boolean;
  /** Changes when the request may have changed, such as the generation of the Deployment. */
  readonly wanted: string;
  readonly now: Instant;
}

/** What was done about a hold before. */
export interface HeldMemory {
  /** What was known when it was asked for last. */
  readonly signature: string;
  readonly askedAt: Instant;
  readonly wanted: string;
  /** When that was noticed, and how often it was asked since: whether the smaller size is still wanted. */
  readonly wantedSince: Instant;
  readonly wantedAsked: number;
  /** How long until the picker is asked again. */
  readonly pauseMs: number;
  /** Since when the size is not the one that was admitted. */
  readonly otherSince?: Instant | undefined;
}

/** What there is to do about a hold. */
export type HeldLook =
  | { readonly kind: "end"; readonly because: HoldEnd }
  /** It is time to ask for the smaller size again. */
  | { readonly kind: "ask"; readonly held: HeldRemoval; readonly size: number; readonly memory: HeldMemory }
  | {
      readonly kind: "wait";
      readonly held: HeldRemoval;
      readonly memory: HeldMemory;
      readonly lookAt: Instant;
    };

/** The request of another size, and our labels of it, may be seen one after the other. */
const otherSizeMs = 3000;
/** A client that wants the smaller size asks for it within this time. */
const answerMs = 15_000;
/** A picker is asked again after 10 seconds, and then ever less often: a little later than the answer stands. */
const firstPauseMs = 10_500;
const longestPauseMs = 60_500;

/** Looks at a hold: whether it is over, due to be asked for again, or to be waited for. */
export function lookAtHold(input: HeldInput, before: HeldMemory | undefined): HeldLook {
  const { owner, now } = input;
  const hold = holdOf(owner);
  const size = desiredReplicasOf(owner) ?? 0;
  if (hold === undefined || size <= hold.size) return { kind: "end", because: "size-reached" };
  const state = stateOf(input, hold.size);
  const memory = withWanted(before ?? firstMemory(state, input), input);
  const { held } = state;
  if (owner.metadata.labels?.[heldAtLabel] !== String(size)) {
    const otherSince = memory.otherSince ?? now;
    return waitOrEnd(
      { held, memory: { ...memory, otherSince }, lookAt: otherSince + otherSizeMs },
      "other-size",
      now,
    );
  }
  const dueSince = (Number(owner.metadata.labels[removalDueLabel]) || 0) * 1000;
  const known = { ...memory, otherSince: undefined };
  if (dueSince > 0) return waitOrEnd({ held, memory: known, lookAt: dueSince + answerMs }, "withdrawn", now);
  return askOrWait({ ...state, size: hold.size }, input, known);
}

function askOrWait(
  state: HoldState & { readonly size: number },
  input: HeldInput,
  memory: HeldMemory,
): HeldLook {
  const { held, size } = state;
  return isDue(state, input, memory)
    ? { kind: "ask", held, size, memory: asked(state, input, memory) }
    : { kind: "wait", held, memory, lookAt: nextLook(state, input, memory) };
}

type Wait = Extract<HeldLook, { readonly kind: "wait" }>;

function waitOrEnd(wait: Omit<Wait, "kind">, because: HoldEnd, now: Instant): HeldLook {
  return now >= wait.lookAt ? { kind: "end", because } : { kind: "wait", ...wait };
}

interface HoldState {
  readonly held: HeldRemoval;
  readonly free: number;
  /** What decides whether asking again may have another answer. */
  readonly signature: string;
  readonly protected: readonly ProtectedPod[];
  /** Pods that were to go still do: they say nothing about those that are held back. */
  readonly isRemoving: boolean;
}

function stateOf({ owner, active, hasPicker, now }: HeldInput, size: number): HoldState {
  const split = splitByProtection(active, { now });
  const byPicker = hasPicker ? split.free.map((pod) => ({ pod, because: { by: "picker" } }) as const) : [];
  const isProtected = [...split.protected, ...byPicker];
  const present = desiredReplicasOf(owner) ?? 0;
  const asked = { ...owner, spec: { ...owner.spec, replicas: size } };
  const held = heldRemoval({ owner: asked, pods: present - size, protected: isProtected, now });
  const free = split.free.map(({ metadata }) => metadata.uid).toSorted();
  return {
    held,
    free: free.length,
    signature: [held.overdue, ...free].join(),
    protected: split.protected,
    isRemoving: active.length > present,
  };
}

/** What was known when the hold began: nothing else than what it was decided on. */
function firstMemory(
  { held, signature, free }: HoldState,
  { hasPicker, wanted, now }: HeldInput,
): HeldMemory {
  const isAsDecided = hasPicker || free === 0;
  const known = isAsDecided && held.overdue === 0 ? signature : "";
  const wants = { wanted, wantedSince: now, wantedAsked: askAfterMs.length };
  return { signature: known, ...wants, askedAt: now, pauseMs: firstPauseMs };
}

/** Another generation of the Deployment may want another size; its controller may see it later than we do. */
const askAfterMs = [1000, 30_000];

function withWanted(memory: HeldMemory, { wanted, now }: HeldInput): HeldMemory {
  return memory.wanted === wanted ? memory : { ...memory, wanted, wantedSince: now, wantedAsked: 0 };
}

/** When to ask whether the smaller size is still wanted. */
function wantedAskAt({ wantedSince, wantedAsked }: HeldMemory): Instant {
  return wantedSince + (askAfterMs[wantedAsked] ?? Infinity);
}

/** A size that was requested without effect is requested again after this time. */
const againMs = 60_000;

function isDue(state: HoldState, { hasPicker, now }: HeldInput, memory: HeldMemory): boolean {
  if (state.isRemoving) return false;
  if (now >= wantedAskAt(memory)) return true;
  if (hasPicker && now >= memory.askedAt + memory.pauseMs) return true;
  const mayGo = state.free > 0 || state.held.overdue > 0;
  if (!mayGo) return false;
  return state.signature !== memory.signature || (!hasPicker && now >= memory.askedAt + againMs);
}

function asked({ signature }: HoldState, { now }: HeldInput, memory: HeldMemory): HeldMemory {
  const { askedAt, pauseMs, wantedAsked } = memory;
  const isPickersTurn = now >= askedAt + pauseMs;
  return {
    ...memory,
    signature,
    askedAt: now,
    pauseMs: isPickersTurn ? Math.min(pauseMs * 2, longestPauseMs) : pauseMs,
    wantedAsked: now >= wantedAskAt(memory) ? wantedAsked + 1 : wantedAsked,
  };
}

function nextLook(
  { held, free, protected: isProtected }: HoldState,
  { hasPicker, now }: HeldInput,
  memory: HeldMemory,
): Instant {
  const { askedAt, pauseMs } = memory;
  const times = [
    wantedAskAt(memory),
    held.nextLimitAt,
    protectionEndsAt(isProtected) ?? Infinity,
    hasPicker ? askedAt + pauseMs : Infinity,
    free > 0 ? askedAt + againMs : Infinity,
  ];
  // A time that has come already was looked at; Pods that end are looked at when they do.
  return Math.min(...times.map((time) => Math.max(time, now + 1000)));
}
