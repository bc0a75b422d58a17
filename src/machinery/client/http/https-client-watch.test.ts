import { once } from "node:events";
import type { ServerResponse } from "node:http";
import { expect, onTestFinished, test } from "vitest";
import { pods } from "../../../api/resources.ts";
import { type ServerScript, scriptedServer } from "../../../testing/scripted-server.ts";
import { VirtualClock } from "../../clock/virtual-clock.ts";
import type { WatchQuery } from "../client.ts";
import { HttpsClient } from "./https-client.ts";

async function connect(script: ServerScript) {
  const server = await scriptedServer(script);
  const clock = new VirtualClock();
  const client = new HttpsClient({
    connection: {
      server: server.url,
      credential: { type: "none" },
      tls: { skipVerify: false },
      namespace: "default",
    },
    clock,
  });
  onTestFinished(async () => {
    await client.close();
    await server.close();
  });
  return { client, clock, server };
}

const named = (name: string) => ({
  kind: "Pod",
  apiVersion: "v1",
  metadata: { name, uid: "u", resourceVersion: "1" },
});
const line = (type: string, object: unknown) => `${JSON.stringify({ type, object })}\n`;
const forever = new AbortController().signal;

/** Everything a watch delivers, up to its end or the error it ends with. */
async function outcomeOf(client: HttpsClient, query: WatchQuery = {}, signal = forever) {
  const events: unknown[] = [];
  try {
    for await (const event of client.watch(pods, query, signal)) events.push(event);
    return { events };
  } catch (error) {
    return { events, error };
  }
}

test("a watch delivers events and bookmarks and ends when the server ends it", async () => {
  const bookmark = (annotations: object) => ({ metadata: { resourceVersion: "9", annotations } });
  const { client } = await connect((_, response) => {
    response.write(line("ADDED", named("a")));
    response.write(line("BOOKMARK", bookmark({ "k8s.io/initial-events-end": "true" })));
    response.write(line("MODIFIED", named("a")) + line("DELETED", named("a")));
    response.end(line("BOOKMARK", bookmark({})));
  });
  expect(await outcomeOf(client)).toEqual({
    events: [
      { type: "ADDED", object: named("a") },
      { type: "BOOKMARK", resourceVersion: "9", initialEventsEnd: true },
      { type: "MODIFIED", object: named("a") },
      { type: "DELETED", object: named("a") },
      { type: "BOOKMARK", resourceVersion: "9", initialEventsEnd: false },
    ],
  });
});

test("characters cut in two by the wire are put together again", async () => {
  const { client } = await connect((_, response) => {
    for (const byte of Buffer.from(line("ADDED", named("grün-🚢")))) response.write(Buffer.of(byte));
    response.end();
  });
  expect(await outcomeOf(client)).toEqual({ events: [{ type: "ADDED", object: named("grün-🚢") }] });
});

test("a last event without a newline counts, half an event does not", async () => {
  const { client } = await connect((_, response, call) =>
    response.end(line("ADDED", named("a")).slice(0, call === 1 ? -1 : -9)),
  );
  expect(await outcomeOf(client)).toEqual({ events: [{ type: "ADDED", object: named("a") }] });
  const { error } = await outcomeOf(client);
  expect(error).toMatchObject({ message: "GET /api/v1/pods?watch=true: a watch event that is not JSON" });
});

test("an ERROR event is thrown as the ApiError it holds", async () => {
  const expired = { kind: "Status", status: "Failure", code: 410, reason: "Expired", message: "too old" };
  const { client } = await connect((_, response) =>
    response.end(line("ADDED", named("a")) + line("ERROR", expired) + line("ADDED", named("b"))),
  );
  const { events, error } = await outcomeOf(client);
  expect(events).toEqual([{ type: "ADDED", object: named("a") }]);
  expect(error).toMatchObject({ name: "ApiError", status: expired });
});

test("a refused watch throws the server's Status", async () => {
  const status = { kind: "Status", code: 403, reason: "Forbidden", message: "no" };
  const { client } = await connect((_, response) => response.writeHead(403).end(JSON.stringify(status)));
  expect(await outcomeOf(client)).toMatchObject({ events: [], error: { name: "ApiError", status } });
});

test.for([
  { name: "that is no event", text: "hello\n", says: "not JSON" },
  { name: "without an object", text: '{"type":"ADDED"}\n', says: "without an object" },
  { name: "of an unknown type", text: '{"type":"MOVED","object":{}}\n', says: 'unknown type "MOVED"' },
])("a line $name ends the watch with an error", async ({ text, says }) => {
  const { client } = await connect((_, response) => response.end(text));
  const { error } = await outcomeOf(client);
  expect(String(error)).toContain(says);
});

test("a connection reset in the middle ends the watch with an error, after what came before", async () => {
  let stream: ServerResponse | undefined;
  const { client } = await connect((_, response) => {
    stream = response;
    response.write(line("ADDED", named("a")));
  });
  const events: unknown[] = [];
  const watching = (async () => {
    for await (const event of client.watch(pods, {}, forever)) {
      events.push(event);
      stream?.socket?.resetAndDestroy();
    }
  })();
  await expect(watching).rejects.toThrow(/^GET \/api\/v1\/pods\?watch=true: /);
  expect(events).toHaveLength(1);
});

test("an abort ends a watch with its own reason, waiting or not", async () => {
  const { client } = await connect((_, response) => response.write(line("ADDED", named("a"))));
  const enough = new Error("enough");
  const controller = new AbortController();
  const watching = (async () => {
    for await (const _ of client.watch(pods, {}, controller.signal)) controller.abort(enough);
  })();
  await expect(watching).rejects.toBe(enough);
  expect(await outcomeOf(client, {}, controller.signal)).toEqual({ events: [], error: enough });
});

test("leaving the loop ends the connection", async () => {
  let closed: Promise<unknown> | undefined;
  const { client } = await connect((_, response) => {
    closed = once(response, "close");
    response.write(line("ADDED", named("a")));
  });
  for await (const _ of client.watch(pods, {}, forever)) break;
  await closed;
});

test("a watch that is not accepted in time fails; an accepted one may be silent", async () => {
  let open: () => void = () => undefined;
  const opened = new Promise<void>((resolve) => (open = resolve));
  const { client, clock } = await connect((_, response, call) => {
    if (call === 1) open();
    else response.write(line("ADDED", named("a")));
  });
  const refused = outcomeOf(client);
  await opened;
  await clock.advance(30_000);
  expect((await refused).error).toMatchObject({
    message: "GET /api/v1/pods?watch=true: no answer within 30 s",
  });

  const controller = new AbortController();
  const watch = client.watch(pods, {}, controller.signal);
  await watch.next();
  const next = watch.next();
  await clock.advance(24 * 3600 * 1000);
  controller.abort(new Error("enough"));
  await expect(next).rejects.toThrow("enough");
});

test("a server that does not end a watch when it said is taken for gone", async () => {
  const { client, clock } = await connect((_, response) => response.write(line("ADDED", named("a"))));
  const watch = client.watch(pods, { timeoutSeconds: 300 }, forever);
  await watch.next();
  const next = watch.next();
  next.catch(() => undefined);
  await clock.advance(330_000);
  await expect(next).rejects.toThrow("no answer within 330 s");
});

test("events the consumer does not read stay with the server", async () => {
  const big = line("ADDED", { ...named("a"), padding: "x".repeat(1_000_000) });
  let written = 0;
  const { client } = await connect((request, response) => {
    if (request.url?.includes("watch") !== true) return response.end(JSON.stringify(named("x")));
    const write = () => {
      while (written < 60) {
        written++;
        if (!response.write(big)) return response.once("drain", write);
      }
      return response.end();
    };
    return write();
  });
  const watch = client.watch(pods, {}, forever);
  await watch.next();
  for (let turn = 0; turn < 20; turn++) await client.get(pods, { namespace: "default", name: "x" });
  expect(written).toBeLessThan(40);
  let rest = 0;
  for await (const _ of watch) rest++;
  expect(rest).toBe(59);
});
