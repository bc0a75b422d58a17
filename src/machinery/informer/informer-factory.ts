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

  /** The informer of a resource; created, and started if the factory runs, at the first call. */
  of<T extends StoredObject>(resource: Resource<T>): Informer<T> {
    this.#required.add(qualifiedName(resource));
    return this.optional(resource);
  }

  /** The same for who can do without it where the user may not list the resource: `synced` does not wait for it then. */
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

  /** Runs every informer, those created meanwhile included, until the signal aborts. */
  async run(signal: AbortSignal): Promise<void> {
    const running: Promise<void>[] = [];
    const ended = new Promise<void>((resolve, reject) => {
      this.#start = (informer) => {
        const run = informer.run(signal);
        run.catch(reject);
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
    const synced = await Promise.all(
      [...this.#informers].map(([name, informer]) =>
        this.#required.has(name) ? informer.synced(signal) : informer.syncedOrForbidden(signal),
      ),
    );
    return synced.every(Boolean);
  }
}
