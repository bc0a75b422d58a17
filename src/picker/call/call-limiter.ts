import { facesOf } from "../addresses/address-faces.ts";
import { ConcurrencyLimiter } from "../concurrency-limiter.ts";
import type { PickerTarget } from "../transport/transport.ts";

/** How many calls may be in flight at a time. */
export interface CallLimits {
  readonly total: number;
  readonly perNamespace: number;
  readonly perAddress: number;
}

export const defaultCallLimits: CallLimits = { total: 50, perNamespace: 10, perAddress: 10 };

/**
 * Limits calls by what their authors cannot choose at will: the namespace of the workload, and the address that a host
 * resolves to. A namespace holds its slot for a whole call; a connection holds one only while it is open, so that
 * no call waits with a slot for an address that is busy.
 */
export class CallLimiter {
  readonly #namespaces: ConcurrencyLimiter;
  readonly #connections: ConcurrencyLimiter;

  constructor({ total, perNamespace, perAddress }: CallLimits = defaultCallLimits) {
    this.#namespaces = new ConcurrencyLimiter({ total: Infinity, perKey: perNamespace });
    this.#connections = new ConcurrencyLimiter({ total, perKey: perAddress });
  }

  /** Acquires a slot for a call; resolves with `undefined` if the signal aborts first. */
  enter(namespace: string, signal: AbortSignal): Promise<(() => void) | undefined> {
    return this.#namespaces.acquire(namespace, signal);
  }

  /** Acquires a slot for a connection to an address; resolves with `undefined` if the signal aborts first. */
  connect({ address, port }: PickerTarget["dial"], signal: AbortSignal): Promise<(() => void) | undefined> {
    const faces = facesOf(address);
    const host = faces.length === 0 ? address : faces.join(" ");
    return this.#connections.acquire(`${host} ${port}`, signal);
  }
}
