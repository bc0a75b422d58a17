import type { HttpDependencies } from "../http-dependencies.ts";

/** How much of every body is not counted, so that large bodies that arrive slowly do not keep out small ones. */
const uncountedBytes = 64 * 1024;

/** Counts the bytes of one body among those in flight, until it is released. */
export class BodyReservation {
  readonly #deps: Pick<HttpDependencies, "inFlight" | "limits">;
  #bytes = 0;
  #isReleased = false;

  constructor(deps: Pick<HttpDependencies, "inFlight" | "limits">) {
    this.#deps = deps;
  }

  /** Counts a body that has grown to this size; returns `false` when the limit of all bodies does not allow it. */
  grow(size: number): boolean {
    const { inFlight, limits } = this.#deps;
    const added = Math.max(0, size - uncountedBytes) - this.#bytes;
    if (this.#isReleased || (added > 0 && inFlight.bodyBytes + added > limits.bodyBytes)) return false;
    this.#bytes += added;
    inFlight.bodyBytes += added;
    return true;
  }

  release(): void {
    this.#isReleased = true;
    this.#deps.inFlight.bodyBytes -= this.#bytes;
    this.#bytes = 0;
  }
}
