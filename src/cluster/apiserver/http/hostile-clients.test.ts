import { connect as connectTcp, type Socket } from "node:net";
import { connect as connectTls, type TLSSocket } from "node:tls";
import { describe, expect, onTestFinished, test } from "vitest";
import type { JsonObject } from "../../../api/json.ts";
import { collectingLogger } from "../../../testing/collecting-logger.ts";
import { type HttpsTestApiServer, readLines, startHttpsTestApiServer } from "./https-fixture.contract.ts";

const configMaps = "/api/v1/namespaces/default/configmaps";
const json = (text: string) => JSON.parse(text) as JsonObject;

/** A connection with nothing said on it yet. */
async function rawConnection({ access }: HttpsTestApiServer): Promise<TLSSocket> {
  const socket = connectTls({ port: access.port, host: "127.0.0.1", ca: access.ca, servername: "localhost" });
  onTestFinished(() => void socket.destroy());
  socket.on("error", () => {}); // being cut off is what these tests are about
  await new Promise((resolve) => socket.once("secureConnect", resolve));
  return socket;
}

const closed = (socket: Socket) => new Promise<void>((resolve) => socket.once("close", () => resolve()));

async function isWell({ call }: HttpsTestApiServer): Promise<boolean> {
  return (await call(`GET ${configMaps}`)).code === 200;
}

describe("a body that is too large", () => {
  test("is refused by its Content-Length", async () => {
    const fixture = await startHttpsTestApiServer();
    const { code, text, headers } = await fixture.call(`POST ${configMaps}`, {
      body: " ".repeat(4 * 1024 * 1024),
    });
    expect(code).toBe(413);
    expect(json(text)).toMatchObject({
      reason: "RequestEntityTooLarge",
      message: "Request entity too large: limit is 3145728",
    });
    expect(headers["connection"]).toBe("close");
    expect(await isWell(fixture)).toBe(true);
  });

  test("is refused also in chunks", async () => {
    const fixture = await startHttpsTestApiServer();
    const headers = { "transfer-encoding": "chunked" };
    const body = "x".repeat(3 * 1024 * 1024 + 1);
    expect((await fixture.call(`POST ${configMaps}`, { headers, body })).code).toBe(413);
    expect(await isWell(fixture)).toBe(true);
  });

  test("is fine up to the limit", async () => {
    const fixture = await startHttpsTestApiServer();
    const body = JSON.stringify({ metadata: { name: "a" } }).padEnd(3 * 1024 * 1024);
    expect((await fixture.call(`POST ${configMaps}`, { body })).code).toBe(201);
  });
});

describe("a client that sends half a request and waits", () => {
  test("does not disturb others", async () => {
    const fixture = await startHttpsTestApiServer({ limits: { watches: 10, writes: 1 } });
    const silent = connectTcp(fixture.access.port, "127.0.0.1");
    onTestFinished(() => void silent.destroy());
    const sockets = await Promise.all(Array.from({ length: 5 }, () => rawConnection(fixture)));
    for (const socket of sockets) {
      socket.write(
        `POST ${configMaps} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${fixture.access.token}\r\nContent-Length: 100\r\n\r\n{"met`,
      );
    }
    expect((await fixture.call(`POST ${configMaps}`, { body: '{"metadata":{"name":"a"}}' })).code).toBe(201);
    expect(await isWell(fixture)).toBe(true);
  });

  test("gets a timeout and is disconnected, without an error in the log", async () => {
    const log = collectingLogger();
    const fixture = await startHttpsTestApiServer({ log });
    const socket = await rawConnection(fixture);
    const over = closed(socket);
    let text = "";
    socket.setEncoding("utf8").on("data", (chunk: string) => (text += chunk));
    socket.write(
      `POST ${configMaps} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${fixture.access.token}\r\nContent-Length: 100\r\n\r\n{`,
    );
    // Once the server has answered another request, it has read this one.
    await isWell(fixture);
    await fixture.clock.advance(34_001);
    await over;
    expect(text).toMatch(/^HTTP\/1\.1 504 [^]*"reason":"Timeout"/);
    expect(log.entries.filter(({ level }) => level === "error")).toEqual([]);
  });
});

test("a watcher that never reads is disconnected and delays no other client", async () => {
  const fixture = await startHttpsTestApiServer();
  const { request, open, clock } = fixture;
  const deaf = await rawConnection(fixture);
  deaf.pause();
  const over = closed(deaf);
  deaf.write(
    `GET ${configMaps}?watch=true HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${fixture.access.token}\r\n\r\n`,
  );
  await isWell(fixture);
  const large = "x".repeat(256 * 1024);
  const count = 60;
  const reader = readLines(
    await open(`GET ${configMaps}?watch=true&resourceVersion=${fixture.store.revision()}`),
    count,
  );
  for (let index = 0; index < count; index++) {
    await request(`POST ${configMaps}`, { metadata: { name: `c${index}` }, data: { large } });
  }
  expect((await reader).length).toBe(count);
  expect(await isWell(fixture)).toBe(true);
  await clock.advance(30_001);
  deaf.resume();
  await over;
  expect(await isWell(fixture)).toBe(true);
});

test.for([
  {
    name: "more watches than allowed",
    limits: { watches: 0, writes: 5 },
    what: `GET ${configMaps}?watch=true`,
    call: {},
  },
  {
    name: "more writes than allowed",
    limits: { watches: 5, writes: 0 },
    what: `POST ${configMaps}`,
    call: { body: "{}" },
  },
])("$name are answered 429", async ({ limits, what, call }) => {
  const fixture = await startHttpsTestApiServer({ limits });
  const { code, text, headers } = await fixture.call(what, call);
  expect(code).toBe(429);
  expect(json(text)).toMatchObject({ reason: "TooManyRequests", details: { retryAfterSeconds: 1 } });
  expect(headers["retry-after"]).toBe("1");
});

test("a watch that ended makes room for another", async () => {
  const fixture = await startHttpsTestApiServer({ limits: { watches: 1, writes: 1 } });
  for (let round = 0; round < 5; round++) {
    const answer = await fixture.open(`GET ${configMaps}?watch=true&timeoutSeconds=1`);
    expect(answer.statusCode).toBe(200);
    await Promise.all([
      fixture.clock.advance(1001),
      new Promise((resolve) => answer.resume().once("end", resolve)),
    ]);
  }
});

test.for([
  { name: "no HTTP", text: "hello?\r\n\r\n" },
  {
    name: "two lengths",
    text: "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n",
  },
  { name: "a header without end", text: `GET / HTTP/1.1\r\nX: ${"x".repeat(70_000)}\r\n\r\n` },
])("$name is not answered for long", async ({ text }) => {
  const fixture = await startHttpsTestApiServer();
  const socket = await rawConnection(fixture);
  const over = closed(socket);
  socket.resume();
  socket.write(text);
  await over;
  expect(await isWell(fixture)).toBe(true);
});

test.for([
  { name: "a long selector", query: `labelSelector=${"a,".repeat(15_000)}a`, code: 200 },
  { name: "a set that never ends", query: `labelSelector=a%20in%20(${"x,".repeat(10_000)}`, code: 400 },
  { name: "brackets upon brackets", query: `labelSelector=${"(".repeat(20_000)}`, code: 400 },
  { name: "escapes without end", query: `fieldSelector=metadata.name=${"%5C".repeat(5001)}`, code: 400 },
  { name: "a limit beyond all numbers", query: `limit=${"9".repeat(100)}`, code: 400 },
])("$name is answered with $code, and soon", async ({ query, code }) => {
  const { call } = await startHttpsTestApiServer();
  expect((await call(`GET ${configMaps}?${query}`)).code).toBe(code);
});

test("an unexpected error is logged, and the client gets no details", async () => {
  const log = collectingLogger();
  const { call } = await startHttpsTestApiServer({
    log,
    debug: () => {
      throw new TypeError("secret detail");
    },
  });
  const { code, text } = await call("GET /debug/anything");
  expect(code).toBe(500);
  expect(json(text)).toMatchObject({
    reason: "InternalError",
    message: expect.stringMatching(/^Internal error occurred: /),
  });
  expect(text).not.toContain("secret");
  expect(text).not.toContain("    at ");
  expect(log.entries.map(({ level }) => level)).toEqual(["error"]);
});
