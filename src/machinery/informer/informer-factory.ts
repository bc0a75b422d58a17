import { expectManyListeners } from "../abort/many-listeners.ts";
import type { StoredObject } from "../../api/object.ts";
import { qualifiedName, type Resource } from "../../api/resource.ts";
import { Informer, type InformerOptions } from "./informer.ts";

/** Creates one informer per resource and shares it. */
export class InformerFactory {
  readonly #options: Omit<InformerOptions<StoredObject>, "resource">;
  readonly #informers = new Map<string, Informer<StoredObject>>();
  /** The resources without which some component cannot work. */
  readonly #required = new Set<string>();
  /** Starts an informer; present while the factory runs. */
  #start: ((informer: Informer<StoredObject>) => void) | undefined;

  constructor(options: Omit<InformerOptions<StoredObject>, "resource" | "indexes" | "scope">) {
    this.#options = options;
  }

  /** Returns the informer of a resource. The first call creates it, and starts it if the factory runs. */
  of<T extends StoredObject>(resource: Resource<T>): Informer<T> {
    this.#required.add(qualifiedName(resource));
    return this.optional(resource);
  }

  /** Variant for callers that do not need the resource: if the user may not list it, `synced` does not wait for it. */
  optional<T extends StoredObject>(resource: Resource<T>): Informer<T> {
    const name = qualifiedName(resource);
    const known = this.#informers.get(name);
    // The map is keyed by resource, and a resource names the type of its objects.
    if (known !== undefined) return known as unknown as Informer<T>;
    const informer = new Informer<T>({ ...this.#options, resource });
    this.#informers.set(name, informer as unknown as Informer<StoredObject>);
    this.#start?.(informer as unknown as Informer<StoredObject>);
    return informer;
  }

  /** All informers created so far. */
  all(): readonly Informer<StoredObject>[] {
    return [...this.#informers.values()];
  }

  /** Runs every informer until the signal aborts, including those created while it runs. */
  async run(signal: AbortSignal): Promise<void> {
    const running: Promise<void>[] = [];
    const ended = new Promise<void>((resolve, reject) => {
      this.#start = (informer) => {
        const run = informer.run(signal);
        run.catch(reject); // an informer rejects only with an error of a handler
        running.push(run);
      };
      if (signal.aborted) resolve();
      else signal.addEventListener("abort", () => resolve(), { once: true });
    });
    this.all().forEach((informer) => this.#start?.(informer));
    await ended;
    this.#start = undefined;
    await Promise.all(running);
  }

  /** Resolves to true once all informers have synced, to false when the signal aborts before. */
  async synced(signal: AbortSignal): Promise<boolean> {
    expectManyListeners(signal); // one listener for each informer; that is no leak
    const synced = await Promise.all(
      [...this.#informers].map(([name, informer]) =>
        this.#required.has(name) ? informer.synced(signal) : informer.syncedOrForbidden(signal),
      ),
    );
    return synced.every(Boolean);
  }
}
