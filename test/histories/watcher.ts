import type { ConfigMap } from "../../src/api/generated/core-v1.ts";
import { messageOf } from "../../src/api/message-of.ts";
import { configMaps } from "../../src/api/resources.ts";
import { ApiError, isGone } from "../../src/machinery/client/api-error.ts";
import type { WatchEvent } from "../../src/machinery/client/client.ts";
import type { Clock } from "../../src/machinery/clock/clock.ts";
import { contentOf, listObjects, namespace, revisionOf, type ServerRun } from "./clients.ts";
import type { WatchSegment } from "./history.ts";
import type { Content } from "./operation.ts";

/** A client that keeps a view of all objects, as an informer does: over the end of a process it goes on where it was. */
export class Watcher {
  readonly name: string;
  readonly #clock: Clock;
  readonly #view = new Map<string, Content>();
  #revision: number | undefined;
  /** How often it had to list again. */
  relists = 0;

  constructor(name: string, clock: Clock) {
    this.name = name;
    this.#clock = clock;
  }

  /** What it takes the objects to be. */
  view(): ReadonlyMap<string, Content> {
    return this.#view;
  }

  /** Lists and watches until the process has ended. */
  async run(server: ServerRun): Promise<void> {
    while (!server.ended.aborted) {
      try {
        if (this.#revision === undefined) await this.#list(server);
        await this.#watch(server, this.#revision ?? 0);
      } catch (error) {
        if (server.ended.aborted) return;
        if (isGone(error)) this.#revision = undefined;
        else if (error instanceof ApiError && error.code >= 500 && error.code !== 503)
          server.history.violated("clear refusals", `${this.name} was answered with ${messageOf(error)}`);
        // Not at once: a lost connection comes before the news that the process has ended.
        await this.#clock.sleep(5, server.ended).catch(() => {});
      }
    }
  }

  async #list(server: ServerRun): Promise<void> {
    const { revision, objects } = await listObjects(server);
    this.relists++;
    this.#revision = revision;
    this.#view.clear();
    for (const [key, { content }] of objects) this.#view.set(key, content);
    for (const [key, each] of objects) server.history.seen.push({ key, ...each });
  }

  async #watch(server: ServerRun, from: number): Promise<void> {
    const { client, ended, history } = server;
    const segment: WatchSegment = { watcher: this.name, from, revisions: [] };
    history.segments.push(segment);
    const query = { namespace, resourceVersion: String(from), allowWatchBookmarks: true };
    for await (const event of client.watch(configMaps, query, ended)) {
      if (ended.aborted) return;
      if (event.type === "BOOKMARK")
        this.#revision = Math.max(this.#revision ?? 0, Number(event.resourceVersion));
      else this.#take(event, segment, server);
    }
  }

  #take(
    { type, object }: WatchEvent<ConfigMap> & { readonly type: "ADDED" | "MODIFIED" | "DELETED" },
    segment: WatchSegment,
    { history }: ServerRun,
  ): void {
    const key = object.metadata.name;
    const revision = revisionOf(object);
    const content = type === "DELETED" ? undefined : contentOf(object);
    if (revision <= (this.#revision ?? 0))
      history.violated("order of events", `${this.name} got ${revision} after ${this.#revision}`);
    if ((type === "ADDED") === this.#view.has(key))
      history.violated(
        "types of events",
        `${this.name} got ${type} of ${key} at ${revision}, which was ${this.#view.get(key) ?? "not there"} for it`,
      );
    this.#revision = revision;
    if (content === undefined) this.#view.delete(key);
    else this.#view.set(key, content);
    segment.revisions.push(revision);
    history.seen.push({ revision, key, content });
  }
}
