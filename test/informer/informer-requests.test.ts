import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { configMaps } from "../../src/api/resources.ts";
import { type EmbeddedCluster, startEmbedded } from "../embedded-cluster.ts";
import { httpsCaller, type HttpsCaller } from "../https-caller.ts";

/** What client-go 1.36 requests and can decode, in each of its three clients. */
const clients = [
  {
    name: "typed",
    watch: "application/vnd.kubernetes.protobuf,application/json",
    list: "application/vnd.kubernetes.protobuf,application/json",
    kind: { kind: "ConfigMap", apiVersion: "v1" },
  },
  {
    name: "dynamic",
    watch: "application/json",
    list: "application/json",
    kind: { kind: "ConfigMap", apiVersion: "v1" },
  },
  {
    name: "metadata",
    watch: accept("PartialObjectMetadata"),
    list: accept("PartialObjectMetadataList"),
    kind: { kind: "PartialObjectMetadata", apiVersion: "meta.k8s.io/v1" },
  },
];

function accept(as: string): string {
  const form = `as=${as};g=meta.k8s.io;v=v1`;
  return `application/vnd.kubernetes.protobuf;${form},application/json;${form},application/json`;
}

const streamed =
  "allowWatchBookmarks=true&resourceVersionMatch=NotOlderThan&sendInitialEvents=true&timeout=8m48s&timeoutSeconds=528&watch=true";
const at = (resourceVersion: string) =>
  `allowWatchBookmarks=true&resourceVersion=${resourceVersion}&timeout=5m24s&timeoutSeconds=324&watch=true`;

interface Event {
  readonly type: string;
  readonly object: {
    readonly kind: string;
    readonly metadata: {
      readonly name?: string;
      readonly resourceVersion: string;
      readonly annotations?: Readonly<Record<string, string>>;
    };
  };
}

let cluster: EmbeddedCluster;
let caller: HttpsCaller;
beforeAll(async () => {
  cluster = await startEmbedded();
  caller = httpsCaller(cluster.access);
});
afterAll(async () => {
  caller.close();
  await cluster.stop();
});

/** The events of a watch, until the test ends. */
async function watching(query: string, accepted: string): Promise<() => Promise<Event>> {
  const answer = await caller.open(`GET /api/v1/namespaces/default/configmaps?${query}`, {
    headers: { accept: accepted },
  });
  expect(answer.statusCode).toBe(200);
  onTestFinished(() => void answer.destroy());
  const lines = caller.lines(answer);
  return async () => JSON.parse((await lines.next()).value ?? "null") as Event;
}

async function initial(next: () => Promise<Event>): Promise<{ readonly seen: Event[]; readonly end: Event }> {
  const seen: Event[] = [];
  for (;;) {
    const event = await next();
    if (event.type !== "ADDED") return { seen, end: event };
    seen.push(event);
  }
}

describe.each(clients)("an informer of the $name client", ({ name, watch, list, kind }) => {
  const put = (suffix: string) =>
    cluster.client.create(configMaps, {
      metadata: { name: `${name}-${suffix}`, namespace: "default" },
      data: { a: "b" },
    });

  test("gets every object, the bookmark of the initial events, and then live events", async () => {
    await put("first");
    const next = await watching(streamed, watch);
    const { seen, end } = await initial(next);
    expect(seen.map(({ object }) => object.metadata.name)).toContain(`${name}-first`);
    expect(end).toMatchObject({ type: "BOOKMARK", object: kind });
    expect(end.object.metadata.annotations).toEqual({ "k8s.io/initial-events-end": "true" });
    const { metadata } = await put("second");
    expect(await next()).toMatchObject({ type: "ADDED", object: { ...kind, metadata } });
  });

  test("resumes from that bookmark without a repeated event", async () => {
    await put("third");
    const { end } = await initial(await watching(streamed, watch));
    const { metadata } = await put("fourth");
    const next = await watching(at(end.object.metadata.resourceVersion), watch);
    expect(await next()).toMatchObject({ type: "ADDED", object: { ...kind, metadata } });
  });

  test("can fall back to a list and a watch from there", async () => {
    await put("fifth");
    const path = "/api/v1/namespaces/default/configmaps?limit=500&resourceVersion=0";
    const { code, text } = await caller.call(`GET ${path}`, { headers: { accept: list } });
    expect(code).toBe(200);
    const listed = JSON.parse(text) as {
      readonly metadata: { readonly resourceVersion: string };
      readonly items: readonly { readonly metadata: { readonly name: string } }[];
    };
    expect(listed.items.map(({ metadata }) => metadata.name)).toContain(`${name}-fifth`);
    const next = await watching(at(listed.metadata.resourceVersion), watch);
    const { metadata } = await put("sixth");
    expect(await next()).toMatchObject({ type: "ADDED", object: { ...kind, metadata } });
  });
});

test("an informer that resumes from a revision before all history gets one ERROR event, and lists again", async () => {
  // Revision 1 was written before there was any ConfigMap.
  const answer = await caller.open(`GET /api/v1/configmaps?${at("1")}`);
  expect(answer.statusCode).toBe(200);
  const events: unknown[] = [];
  for await (const line of caller.lines(answer)) events.push(JSON.parse(line));
  expect(events).toEqual([
    { type: "ERROR", object: expect.objectContaining({ kind: "Status", code: 410, reason: "Expired" }) },
  ]);
  const { seen, end } = await initial(await watching(streamed, "application/json"));
  expect(seen).not.toEqual([]);
  expect(end.type).toBe("BOOKMARK");
});
