import { isJsonObject, type JsonObject } from "../../api/json.ts";
import type { ApiRequest } from "../../cluster/apiserver/request/api-request.ts";
import { internalError } from "../../cluster/apiserver/status-errors.ts";
import type { Store } from "../../cluster/store/store.ts";
import type { Clock } from "../../machinery/clock/clock.ts";
import { bodyOf } from "./request-subject.ts";

const collection = "leases.coordination.k8s.io";
/** As long as clients that say nothing hold a Lease. */
const usualSeconds = 15;
/** How long a Lease stays expired before its old holder may write it again. */
const marginMs = 1000;

/** A holder that cannot renew its Lease. */
interface LostLease {
  readonly holder: string;
  readonly until: number;
}

/** Lets Leases expire: for long enough their holders cannot write them; others can, and take them over. */
export class ExpiringLeases {
  readonly #store: Store;
  readonly #clock: Clock;
  readonly #lost = new Map<string, LostLease>();

  constructor(store: Store, clock: Clock) {
    this.#store = store;
    this.#clock = clock;
  }

  /** Reports whether a request renews a Lease that its sender holds. */
  isRenewal(request: ApiRequest): boolean {
    const { verb, resource } = request;
    if (verb !== "update" || resource.collection !== collection) return false;
    const holder = holderOf(bodyOf(request));
    return holder !== "" && holder === holderOf(this.#stored(request));
  }

  /** From now on the holder cannot renew the Lease, until it has expired. */
  expire(request: ApiRequest): void {
    const stored = this.#stored(request);
    const { leaseDurationSeconds } = specOf(stored);
    const seconds = typeof leaseDurationSeconds === "number" ? leaseDurationSeconds : usualSeconds;
    const until = this.#clock.now() + seconds * 1000 + marginMs;
    this.#lost.set(keyOf(request), { holder: holderOf(stored), until });
  }

  /** Throws 500 for a write by a holder that has lost its Lease. */
  check(request: ApiRequest): void {
    if (this.#lost.size === 0 || request.resource.collection !== collection) return;
    const key = keyOf(request);
    const lost = this.#lost.get(key);
    if (lost === undefined) return;
    if (this.#clock.now() >= lost.until) this.#lost.delete(key);
    else if (holderOf(bodyOf(request)) === lost.holder) throw internalError("etcdserver: request timed out");
  }

  #stored(request: ApiRequest): JsonObject {
    return this.#store.collection(collection).get(keyOf(request))?.object ?? {};
  }
}

function keyOf({ namespace = "", name = "" }: ApiRequest): string {
  return `${namespace}/${name}`;
}

function specOf({ spec }: JsonObject): JsonObject {
  return isJsonObject(spec) ? spec : {};
}

function holderOf(lease: JsonObject): string {
  const { holderIdentity } = specOf(lease);
  return typeof holderIdentity === "string" ? holderIdentity : "";
}
