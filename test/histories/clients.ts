import type { ConfigMap } from "../../src/api/generated/core-v1.ts";
import type { Draft } from "../../src/api/object.ts";
import { configMaps } from "../../src/api/resources.ts";
import { ApiError, isAlreadyExists, isConflict, isNotFound } from "../../src/machinery/client/api-error.ts";
import type { Client } from "../../src/machinery/client/client.ts";
import type { Clock } from "../../src/machinery/clock/clock.ts";
import { messageOf } from "../../src/api/message-of.ts";
import { oneOf, type Random } from "../../src/machinery/random/random.ts";
import type { History, Listing } from "./history.ts";
import type { Answer, Request } from "./operation.ts";

/** A process that serves clients until it ends. */
export interface ServerRun {
  readonly client: Client;
  /** Aborted when the process has ended: no answer is read any more. */
  readonly ended: AbortSignal;
  readonly history: History;
}

/** What a client of any process needs. */
export interface ClientOptions {
  readonly name: string;
  readonly keys: readonly string[];
  readonly clock: Clock;
  readonly random: Random;
  /** The longest pause between two requests. */
  readonly pauseMs: number;
}

export const namespace = "default";
const object = (name: string, content: string, resourceVersion?: string): Draft<ConfigMap> => ({
  metadata: { namespace, name, ...(resourceVersion !== undefined && { resourceVersion }) },
  data: { content },
});
export const contentOf = ({ data }: ConfigMap) => data?.["content"] ?? "";
export const revisionOf = ({ metadata }: ConfigMap) => Number(metadata.resourceVersion);

/** A client that reads and writes objects at random; it remembers what it has read over the end of a process. */
export class Writer {
  readonly #options: ClientOptions;
  readonly #known = new Map<string, ConfigMap>();
  #count = 0;

  constructor(options: ClientOptions) {
    this.#options = options;
  }

  /** Sends requests, one at a time, until the process has ended or the writer is stopped. */
  async run(server: ServerRun, stopped: () => boolean = () => false): Promise<void> {
    const { clock, random, keys, pauseMs } = this.#options;
    while (!server.ended.aborted && !stopped()) {
      const key = oneOf(keys, random) ?? "";
      const answer = await this.send(server, key, this.#draw(key));
      // As a client does that was told to try again later.
      const pause = answer.kind === "unknown" ? 500 : 0;
      await clock.sleep(pause + random.next() * pauseMs, server.ended).catch(() => {});
    }
  }

  send(server: ServerRun, key: string, request: Request): Promise<Answer> {
    const client = this.#options.name;
    return server.history.record({ client, key, request }, () => this.#answer(server, key, request));
  }

  #draw(key: string): Request {
    const chance = this.#options.random.next();
    const known = this.#known.get(key);
    const content = `${this.#options.name}.${++this.#count}`;
    if (chance < 0.25) return { verb: "get" };
    if (chance < 0.35) return { verb: "delete" };
    if (known === undefined || chance < 0.4) return { verb: "create", content };
    return { verb: "update", from: contentOf(known), content };
  }

  async #answer({ client, ended, history }: ServerRun, key: string, request: Request): Promise<Answer> {
    try {
      return await unlessEnded(ended, this.#perform(client, key, request));
    } catch (error) {
      if (isNotFound(error) && request.verb === "get") return { kind: "read", content: undefined };
      const kind = refusalOf(error);
      if (kind !== undefined) {
        this.#known.delete(key);
        return { kind };
      }
      if (error instanceof ApiError && error.code !== 503 && error.code !== 507)
        history.violated("clear refusals", `${request.verb} ${key} was answered with ${messageOf(error)}`);
      return { kind: "unknown", because: messageOf(error).slice(0, 60) };
    }
  }

  async #perform(client: Client, key: string, request: Request): Promise<Answer> {
    const name = { namespace, name: key };
    if (request.verb === "delete") {
      await client.delete(configMaps, name);
      this.#known.delete(key);
      return { kind: "done" };
    }
    const answer = await this.#requestOf(client, key, request);
    this.#known.set(key, answer);
    return request.verb === "get"
      ? { kind: "read", content: contentOf(answer) }
      : { kind: "done", revision: revisionOf(answer) };
  }

  #requestOf(
    client: Client,
    key: string,
    request: Request & { readonly verb: "get" | "create" | "update" },
  ): Promise<ConfigMap> {
    if (request.verb === "get") return client.get(configMaps, { namespace, name: key });
    if (request.verb === "create") return client.create(configMaps, object(key, request.content));
    const { metadata } = this.#known.get(key) ?? { metadata: { resourceVersion: undefined } };
    // The server completes the object.
    const changed = object(key, request.content, metadata.resourceVersion) as ConfigMap;
    return client.update(configMaps, changed);
  }
}

function refusalOf(error: unknown): "exists" | "conflict" | "not-found" | undefined {
  if (isAlreadyExists(error)) return "exists";
  if (isConflict(error)) return "conflict";
  return isNotFound(error) ? "not-found" : undefined;
}

/** Lists the objects of all writers. */
export async function listObjects({ client, ended }: ServerRun): Promise<Listing> {
  const { items, resourceVersion } = await unlessEnded(ended, client.list(configMaps, { namespace }));
  return {
    revision: Number(resourceVersion),
    objects: new Map(
      items.map((item) => [item.metadata.name, { revision: revisionOf(item), content: contentOf(item) }]),
    ),
  };
}

/** Waits for an answer, but not beyond the end of the process. */
export async function unlessEnded<T>(ended: AbortSignal, work: Promise<T>): Promise<T> {
  ended.throwIfAborted();
  return new Promise((resolve, reject) => {
    const onEnd = () => reject(new Error("the server was killed"));
    ended.addEventListener("abort", onEnd, { once: true });
    work.then(resolve, reject).finally(() => ended.removeEventListener("abort", onEnd));
  });
}
