import type { ReplicaSet } from "../api/generated/apps-v1.ts";
import type { Pod } from "../api/generated/core-v1.ts";
import type { JsonObject } from "../api/json.ts";
import { keyOf } from "../api/object.ts";
import type { Instant } from "../api/time.ts";
import type { Choice } from "../decisions/downscale/choose-victims.ts";
import type { Facts } from "../decisions/downscale/facts.ts";
import type { MarkPlan } from "../decisions/stock/plan-marks.ts";
import type { Clock } from "../machinery/clock/clock.ts";

/** A scale-down that was decided at admission. */
export interface SteeredRemoval {
  readonly id: string;
  readonly replicaSet: ReplicaSet;
  /** The size that it gets: more than was asked for, where protected Pods hold a part back. */
  readonly size: number;
  readonly asked: number;
  /** The generation that the ReplicaSet has once it has that size. */
  readonly generation: number;
  readonly choice: Choice;
  readonly facts: Facts;
  readonly marked: MarkPlan["marked"];
  readonly picker?: JsonObject;
  readonly decidedAt: Instant;
  /** Whether the Pods it was decided on are known to have been those of the request. One that is not is made again. */
  readonly isProven: boolean;
  /** Whether nothing was done about it: it is only compared with what happens. */
  readonly isObserved?: boolean;
}

/** A removal is remembered for so long if nothing is heard of it. */
const keptMs = 600_000;
/** So many decisions of one ReplicaSet are made at once, and one more every so many milliseconds. */
const burst = 10;
const refillMs = 2000;

/**
 * What asks for a decision: the label on a ReplicaSet, which only the API server can have stored, or a request at the
 * webhook, which anyone can send. A flood of the second takes nothing from the first.
 */
export type AskedBy = "label" | "request";

interface Allowance {
  readonly tokens: number;
  readonly at: Instant;
}

/** The latest decision about every ReplicaSet: asked again, the same is answered. */
export class DecisionMemory {
  readonly #clock: Clock;
  readonly #latest = new Map<string, SteeredRemoval>();
  readonly #allowances = new Map<string, Allowance>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** The decision already taken about this ReplicaSet, this size and these active Pods. */
  same(replicaSet: ReplicaSet, size: number, active: readonly Pod[]): SteeredRemoval | undefined {
    const known = this.#latest.get(keyOf(replicaSet));
    if (known?.replicaSet.metadata.uid !== replicaSet.metadata.uid || known.asked !== size) return undefined;
    const { victims, survivors } = known.choice;
    if (victims.length + survivors.length !== active.length) return undefined;
    const uids = new Set([...victims, ...survivors].map(({ pod }) => pod.metadata.uid));
    return active.every(({ metadata }) => uids.has(metadata.uid)) ? known : undefined;
  }

  /** The decision about the ReplicaSet of a key whose removal is still to be checked. */
  open(key: string): SteeredRemoval | undefined {
    return this.#latest.get(key);
  }

  remember(removal: SteeredRemoval): void {
    const key = keyOf(removal.replicaSet);
    this.#latest.delete(key); // to be inserted last
    this.#latest.set(key, removal);
    for (const [other, { decidedAt }] of this.#latest) {
      if (other === key || this.#clock.now() - decidedAt < keptMs) break;
      this.#latest.delete(other);
    }
  }

  forget(key: string, id: string): void {
    if (this.#latest.get(key)?.id === id) this.#latest.delete(key);
  }

  /** Whether another decision about a ReplicaSet may be made: a flood of requests must not become one of writes. */
  mayDecide({ metadata }: ReplicaSet, askedBy: AskedBy = "request"): boolean {
    const now = this.#clock.now();
    const key = `${metadata.uid} ${askedBy}`;
    const { tokens, at } = this.#allowances.get(key) ?? { tokens: burst, at: now };
    const gained = Math.min(tokens + (now - at) / refillMs, burst);
    const mayDecide = gained >= 1;
    this.#allowances.delete(key); // to be inserted last
    // A refusal costs nothing: whoever asks more often than it refills would otherwise be refused for ever.
    this.#allowances.set(key, { tokens: mayDecide ? gained - 1 : gained, at: now });
    for (const [other, allowance] of this.#allowances) {
      if (now - allowance.at < burst * refillMs) break;
      this.#allowances.delete(other);
    }
    return mayDecide;
  }
}
