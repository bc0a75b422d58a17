import type { IncomingMessage } from "node:http";
import { expect, onTestFinished, test } from "vitest";
import { configMaps, pods } from "../../../api/resources.ts";
import { type ServerScript, scriptedServer } from "../../../testing/scripted-server.ts";
import { VirtualClock } from "../../clock/virtual-clock.ts";
import { ApiError, isAlreadyExists, isConflict, isGone, isNotFound } from "../api-error.ts";
import { HttpsClient, type HttpsClientOptions } from "./https-client.ts";

/** A client, in virtual time, of a server that does as told. */
async function connect(script: ServerScript, options: Partial<HttpsClientOptions> = {}) {
  const server = await scriptedServer(script);
  const clock = new VirtualClock();
  const connection = {
    server: `${server.url}/base`,
    credential: { type: "token", token: "secret" },
    tls: { skipVerify: false },
    namespace: "default",
  } as const;
  const client = new HttpsClient({ connection, clock, ...options });
  onTestFinished(async () => {
    await client.close();
    await server.close();
  });
  return { client, clock, server };
}

const x = { namespace: "default", name: "x" };
const thePod = { kind: "Pod", apiVersion: "v1", metadata: { name: "x", uid: "u", resourceVersion: "1" } };
const failure = (code: number, reason: string) =>
  JSON.stringify({ kind: "Status", code, reason, message: reason });

/** What a promise fails with; asked for at once, so that no failure goes unheard. */
const errorOf = (work: Promise<unknown>) =>
  work.then(
    () => undefined,
    (error: unknown) => error,
  );

/** A promise and the way to keep it. */
function gate() {
  let open: () => void = () => undefined;
  const opened = new Promise<void>((resolve) => (open = resolve));
  return { open, opened };
}

/** Lets virtual time pass from timer to timer for as long as something on the wire takes. */
async function passing<T>(clock: VirtualClock, work: Promise<T>): Promise<T> {
  const wire = { busy: true };
  const settled = work.finally(() => (wire.busy = false));
  settled.catch(() => undefined);
  while (wire.busy) await clock.runWhile(() => wire.busy, clock.now() + 29_000);
  return settled;
}

test("a request carries its body, who we are and what we understand, below the server's own path", async () => {
  let seen: unknown;
  const { client } = await connect((request, response) => {
    const { method, url, headers } = request;
    void bodyOf(request).then((body) => {
      seen = { method, url, headers, body: JSON.parse(body) };
      return response.end(JSON.stringify(thePod));
    });
  });
  expect(await client.create(configMaps, { metadata: x, data: { key: "ü" } })).toEqual(thePod);
  expect(seen).toMatchObject({
    method: "POST",
    url: "/base/api/v1/namespaces/default/configmaps",
    headers: {
      accept: "application/json",
      authorization: "Bearer secret",
      "content-type": "application/json",
      "user-agent": "trimtab",
    },
    body: { kind: "ConfigMap", data: { key: "ü" } },
  });
});

test("requests follow each other on the same connections, deletes with options among them", async () => {
  const sockets = new Set<unknown>();
  const { client } = await connect((request, response) => {
    sockets.add(request.socket);
    void bodyOf(request).then(() => response.end(JSON.stringify(thePod)));
  });
  for (let round = 0; round < 10; round++) {
    await client.delete(pods, x, { preconditions: { uid: "u" } });
    await client.get(pods, x);
  }
  // A second one may be opened while the end of a response is still on its way.
  expect(sockets.size).toBeLessThanOrEqual(2);
});

test("many requests at once share 64 connections; watches, which last, take none of them", async () => {
  const sockets = new Set<unknown>();
  const { client } = await connect((request, response) => {
    if (request.url?.includes("watch=true") === true) {
      response.writeHead(200).flushHeaders();
      return;
    }
    sockets.add(request.socket);
    response.end(JSON.stringify(thePod));
  });
  const ending = new AbortController();
  const watches = Array.from({ length: 70 }, () =>
    errorOf(client.watch(pods, {}, ending.signal)[Symbol.asyncIterator]().next()),
  );
  const answers = await Promise.all(Array.from({ length: 300 }, () => client.get(pods, x)));
  expect(answers).toHaveLength(300);
  expect(sockets.size).toBeLessThanOrEqual(64);
  ending.abort(new Error("seen"));
  await Promise.all(watches);
});

test("a request that waits for a connection ends with its signal", async () => {
  const { client } = await connect(() => undefined); // no response
  const others = Array.from({ length: 64 }, () => errorOf(client.get(pods, x)));
  const ending = new AbortController();
  const waiting = errorOf(client.get(pods, x, ending.signal));
  ending.abort(new Error("no longer wanted"));
  expect(await waiting).toEqual(new Error("no longer wanted"));
  await client.close();
  expect(await Promise.all(others)).toHaveLength(64);
});

async function bodyOf(request: IncomingMessage): Promise<string> {
  return Buffer.concat(await request.toArray()).toString();
}

const isApiError = (error: unknown) => error instanceof ApiError;

test.for([
  { code: 401, reason: "Unauthorized", is: isApiError },
  { code: 403, reason: "Forbidden", is: isApiError },
  { code: 404, reason: "NotFound", is: isNotFound },
  { code: 409, reason: "Conflict", is: isConflict },
  { code: 409, reason: "AlreadyExists", is: isAlreadyExists },
  { code: 410, reason: "Expired", is: isGone },
  { code: 429, reason: "TooManyRequests", is: isApiError },
  { code: 500, reason: "InternalError", is: isApiError },
])("$code $reason is an ApiError with the server's own Status", async ({ code, reason, is }) => {
  const { client } = await connect((_, response) => response.writeHead(code).end(failure(code, reason)));
  const error = await errorOf(client.get(pods, x));
  expect(is(error)).toBe(true);
  expect(error).toMatchObject({ status: { code, reason } });
});

test("what is no Status and what is no JSON is said, not guessed", async () => {
  const { client } = await connect((_, response, call) =>
    call === 1 ? response.writeHead(502).end("<html>") : response.end("<html>hello"),
  );
  await expect(client.get(pods, x)).rejects.toMatchObject({ code: 502, reason: "InternalError" });
  await expect(client.get(pods, x)).rejects.toThrow("the answer is not JSON: <html>hello");
});

test("a delete answered with a Status, or with an object that is gone, leaves nothing", async () => {
  const metadata = { name: "x", deletionTimestamp: "2026-01-01T00:00:00Z" };
  const answers = [
    { kind: "Status", status: "Success" },
    { metadata: { ...metadata, deletionGracePeriodSeconds: 0 } },
    { metadata: { ...metadata, deletionGracePeriodSeconds: 30 } },
  ];
  const { client } = await connect((_, response, call) => response.end(JSON.stringify(answers[call - 1])));
  expect(await client.delete(pods, x)).toBeUndefined();
  expect(await client.delete(pods, x)).toBeUndefined();
  expect(await client.delete(pods, x)).toEqual(answers[2]);
});

test("an empty name never reaches the server, where it would mean the whole collection", async () => {
  const { client, server } = await connect((_, response) => response.end("{}"));
  const deleting = client.delete(pods, { namespace: "default", name: "" });
  await expect(deleting).rejects.toMatchObject({ code: 400 });
  expect(server.calls()).toBe(0);
});

test("a request without a response fails after 30 s", async () => {
  const { open, opened } = gate();
  const { client, clock } = await connect(open);
  const failed = errorOf(client.get(pods, x));
  await opened;
  await clock.advance(30_000);
  expect(await failed).toMatchObject({
    message: "GET /api/v1/namespaces/default/pods/x: no answer within 30 s",
  });
});

test("so is one that stops in the middle of its answer", async () => {
  const { open, opened } = gate();
  const { client, clock } = await connect((_, response) => response.write('{"kind":', open), {
    timeoutMs: 5000,
  });
  const failed = errorOf(client.get(pods, x));
  await opened;
  await clock.advance(5000);
  expect(String(await failed)).toContain("no answer within 5 s");
});

test("an abort ends a request with its own reason, sent or not", async () => {
  const { open, opened } = gate();
  const { client, server } = await connect(open);
  const enough = new Error("enough");
  await expect(client.get(pods, x, AbortSignal.abort(enough))).rejects.toBe(enough);
  expect(server.calls()).toBe(0);
  const controller = new AbortController();
  const failed = errorOf(client.get(pods, x, controller.signal));
  await opened;
  controller.abort(enough);
  expect(await failed).toBe(enough);
});

test("a busy server is asked again when it says, but not for ever", async () => {
  const busy: ServerScript = (_, response, call) => {
    if (call === 3) response.end(JSON.stringify(thePod));
    else response.writeHead(429, { "retry-after": "7" }).end(failure(429, "TooManyRequests"));
  };
  const { client, clock, server } = await connect(busy, { busyRetries: 2 });
  const start = clock.now();
  expect(await passing(clock, client.get(pods, x))).toEqual(thePod);
  expect([server.calls(), clock.now() - start]).toEqual([3, 14_000]);
  await expect(passing(clock, client.get(pods, x))).rejects.toMatchObject({ code: 429 });
  expect(server.calls()).toBe(6);
});

test("waiting for a busy server ends with the request's signal", async () => {
  const { client, clock } = await connect((_, response) =>
    response.writeHead(503, { "retry-after": "20" }).end(failure(503, "ServiceUnavailable")),
  );
  const enough = new Error("enough");
  const controller = new AbortController();
  clock.after(10_000, () => controller.abort(enough));
  await expect(passing(clock, client.get(pods, x, controller.signal))).rejects.toBe(enough);
});

test("a connection that cannot be made is an error that says which request it ended", async () => {
  const { client, server } = await connect(() => undefined);
  await server.close();
  await expect(client.get(pods, x)).rejects.toThrow(/^GET \/api\/v1\/.*\/pods\/x: .*ECONNREFUSED/);
});

test("hundreds of requests share one signal without a warning", async () => {
  const warnings: unknown[] = [];
  const listen = (warning: unknown) => warnings.push(warning);
  process.on("warning", listen);
  onTestFinished(() => void process.off("warning", listen));
  const { client } = await connect((_, response) => response.end(JSON.stringify(thePod)));
  const { signal } = new AbortController();
  await Promise.all(Array.from({ length: 200 }, () => client.get(pods, x, signal)));
  expect(warnings).toEqual([]);
});

test("a closed client ends what is under way", async () => {
  const { open, opened } = gate();
  const { client } = await connect(open);
  const failed = errorOf(client.get(pods, x));
  await opened;
  await client.close();
  expect(String(await failed)).toMatch(/^Error: GET /);
});
