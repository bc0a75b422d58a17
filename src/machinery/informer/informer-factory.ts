import type { StoredObject } from "../../api/object.ts";
import { qualifiedName, type Resource } from "../../api/resource.ts";
import { Informer, type InformerOptions } from "./informer.ts";

/** One informer per resource, shared by all who ask for it. */
export class InformerFactory {
  readonly #options: Omit<InformerOptions<StoredObject>, "resource">;
  readonly #informers = new Map<string, Informer<StoredObject>>();
  /** While they run. */
  #follow: ((informer: Informer<StoredObject>) => void) | undefined;

  constructor(options: Omit<InformerOptions<StoredObject>, "resource" | "indexes" | "scope">) {
    this.#options = options;
  }

  of<T extends StoredObject>(resource: Resource<T>): Informer<T> {
    const name = qualifiedName(resource);
    const known = this.#informers.get(name);
    // The map is keyed by resource, and a resource names the type of its objects.
    if (known !== undefined) return known as unknown as Informer<T>;
    const informer = new Informer<T>({ ...this.#options, resource });
    this.#informers.set(name, informer as unknown as Informer<StoredObject>);
    this.#follow?.(informer as unknown as Informer<StoredObject>);
    return informer;
  }

  /** All that were asked for so far. */
  all(): readonly Informer<StoredObject>[] {
    return [...this.#informers.values()];
  }

  /** Follows every collection asked for, before and meanwhile, until the signal aborts. */
  async run(signal: AbortSignal): Promise<void> {
    const running: Promise<void>[] = [];
    const ended = new Promise<void>((resolve, reject) => {
      this.#follow = (informer) => {
        const run = informer.run(signal);
        run.catch(reject);
        running.push(run);
      };
      if (signal.aborted) resolve();
      else signal.addEventListener("abort", () => resolve(), { once: true });
    });
    this.all().forEach((informer) => this.#follow?.(informer));
    await ended;
    this.#follow = undefined;
    await Promise.all(running);
  }

  /** Resolves to true when all of them have seen their collections whole, to false when the signal aborts before. */
  async synced(signal: AbortSignal): Promise<boolean> {
    const seen = await Promise.all([...this.#informers.values()].map((informer) => informer.synced(signal)));
    return seen.every(Boolean);
  }
}
