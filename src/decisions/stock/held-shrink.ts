import type { JsonObject } from "../../api/json.ts";
import { heldAtLabel, heldRemovalLabel, removalDueLabel } from "../../api/pod-protection.ts";
import { readHold } from "../downscale/hold.ts";

/** A shrink of which protected Pods hold back a part, or all. */
export interface HeldShrink {
  /** The size for now: not less than was asked for, and no more than before. */
  readonly size: number;
  /** The value of the label that says since when it is held back. */
  readonly hold: string;
}

/** The labels that say what a shrink is admitted as: `null` removes one. */
export function shrinkLabels(held: HeldShrink | undefined): Readonly<Record<string, string | null>> {
  return {
    [heldRemovalLabel]: held === undefined ? null : held.hold,
    [heldAtLabel]: held === undefined ? null : String(held.size),
    [removalDueLabel]: null,
  };
}

/** What a ReplicaSet says about a shrink that is held back. */
export interface HeldState {
  readonly asked: number;
  /** The size that it may have for now. */
  readonly at: number;
  /** Whether it is to be decided again. */
  readonly isDue: boolean;
}

type Labels = Readonly<Record<string, unknown>> | undefined;

/** Reads the labels of a stored ReplicaSet; a request that carries the mark, or copies it, is due, too. */
export function readHeld(stored: Labels, requested: Labels = stored): HeldState | undefined {
  const [hold, at] = [stored?.[heldRemovalLabel], stored?.[heldAtLabel]];
  const asked = typeof hold === "string" ? readHold(hold)?.size : undefined;
  if (asked === undefined || typeof at !== "string" || !/^[0-9]{1,10}$/.test(at)) return undefined;
  const isDue = [stored, requested].some((labels) => labels?.[removalDueLabel] !== undefined);
  return { asked, at: Number(at), isDue };
}

/** Whether a request asks for what is held back already, with nothing new to decide. */
export function holds(
  held: HeldState,
  { old, asked }: { readonly old: number; readonly asked: number },
): boolean {
  return held.asked === asked && held.at === old && !held.isDue;
}

/** The size that a decision about a smaller one leaves for now. */
export function admittedAs({ size }: { readonly size: number }, held: HeldState | undefined): number {
  return held?.asked === size ? Math.max(size, held.at) : size;
}

/** JSON patch operations after which nothing is due, and unless it is kept nothing held back. */
export function withoutHoldPatch(
  labels: JsonObject | undefined,
  { keeps }: { readonly keeps: boolean },
): readonly JsonObject[] {
  const names = keeps ? [removalDueLabel] : Object.keys(shrinkLabels(undefined));
  return names
    .filter((name) => labels?.[name] !== undefined)
    .map((name) => ({ op: "remove", path: `/metadata/labels/${name.replace("/", "~1")}` }));
}
