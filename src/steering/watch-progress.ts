import type { StoredObject } from "../api/object.ts";
import { compareResourceVersions } from "../api/resource-version.ts";
import type { Informer } from "../machinery/informer/informer.ts";

interface Waiter {
  readonly version: string;
  readonly resolve: () => void;
}

/** Tells when an informer has seen a version, for those who wait for their own writes. */
export class WatchProgress<T extends StoredObject = StoredObject> {
  readonly #informer: Pick<Informer<T>, "resourceVersion">;
  #waiting: readonly Waiter[] = [];

  constructor(informer: Pick<Informer<T>, "resourceVersion" | "addHandler">) {
    this.#informer = informer;
    const moved = () => this.#moved();
    informer.addHandler({ added: moved, updated: moved, deleted: moved });
  }

  /** Resolves when the informer has read up to this version; rejects when the signal aborts first. */
  reached(version: string, signal: AbortSignal): Promise<void> {
    if (this.#hasReached(version)) return Promise.resolve();
    return new Promise((resolve, reject) => {
      const waiter = { version, resolve: () => settle(resolve) };
      const abort = () => settle(() => reject(signal.reason as Error));
      const settle = (end: () => void) => {
        this.#waiting = this.#waiting.filter((other) => other !== waiter);
        signal.removeEventListener("abort", abort);
        end();
      };
      this.#waiting = [...this.#waiting, waiter];
      signal.addEventListener("abort", abort, { once: true });
      if (signal.aborted) abort();
    });
  }

  #moved(): void {
    for (const { version, resolve } of this.#waiting) if (this.#hasReached(version)) resolve();
  }

  /** Versions that cannot be compared count as reached. */
  #hasReached(version: string): boolean {
    return (compareResourceVersions(this.#informer.resourceVersion, version) ?? 0) >= 0;
  }
}
