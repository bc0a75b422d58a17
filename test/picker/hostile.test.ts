import { gzipSync } from "node:zlib";
import { once } from "node:events";
import type { RequestListener } from "node:http";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { describe, expect, onTestFinished, test } from "vitest";
import { ask, type AskOptions } from "./ask.ts";
import { startHttpServer } from "./http-picker.ts";
import { instantClock } from "./instant-clock.ts";

/** A server that runs a handler on every connection once it has received data. */
async function startRaw(converse: (socket: Socket) => void): Promise<{ port: number; heard: Promise<void> }> {
  const sockets = new Set<Socket>();
  let hear: () => void = () => undefined;
  const heard = new Promise<void>((resolve) => (hear = resolve));
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => undefined);
    socket.once("data", () => {
      converse(socket);
      hear();
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(async () => {
    const closed = once(server, "close");
    server.close();
    for (const socket of sockets) socket.destroy();
    await closed;
  });
  return { port: (server.address() as AddressInfo).port, heard };
}

async function askServer(listener: RequestListener, options: Partial<AskOptions> = {}) {
  const server = await startHttpServer(listener);
  onTestFinished(() => server.close());
  return ask({ protocol: "http", port: server.port, ...options });
}

const head = "HTTP/1.1 200 OK\r\n";
const good = JSON.stringify({ chosen_pods: ["a"], tied_pods: [] });
/** A valid answer of exactly so many bytes. */
const padded = (bytes: number) => good + " ".repeat(bytes - good.length);
const mebibyte = 1024 * 1024;

describe("a response that never ends is abandoned at the timeout:", () => {
  test.for([
    { name: "it has no bytes", says: "" },
    { name: "its headers never end", says: `${head}x-a: b\r\n` },
    { name: "its body comes byte by byte", says: `${head}content-length: 100\r\n\r\n{` },
    {
      name: "its chunked body does not end",
      says: `${head}transfer-encoding: chunked\r\n\r\n1\r\n{\r\n`,
    },
    {
      name: "it has only informational responses",
      says: "HTTP/1.1 103 Early Hints\r\n\r\nHTTP/1.1 103 Early Hints\r\n\r\n",
    },
  ])("$name", async ({ says }) => {
    const clock = instantClock();
    const { port, heard } = await startRaw((socket) => void socket.write(says));
    const finding = ask({ protocol: "http", port, clock });
    await heard;
    clock.expire();
    expect(await finding).toMatchObject({ attempts: 1, failure: { class: "Timeout" } });
  });

  test("it is not gRPC", async () => {
    const clock = instantClock();
    const { port, heard } = await startRaw(() => undefined);
    const finding = ask({ protocol: "grpc", port, clock });
    await heard;
    clock.expire();
    expect(await finding).toMatchObject({ attempts: 1, failure: { class: "Timeout" } });
  });
});

describe("an invalid response is retried as often as allowed:", () => {
  test.for([
    {
      name: "the connection is reset in the middle",
      says: `${head}content-length: 100\r\n\r\n{"chosen`,
      failure: "ConnectionFailed",
    },
    { name: "the connection is closed at once", says: "", failure: "ConnectionFailed" },
    { name: "it is another protocol", says: "SSH-2.0-OpenSSH_9.6\r\n", failure: "ConnectionFailed" },
    {
      name: "it has two lengths",
      says: `${head}content-length: 2\r\ncontent-length: 3\r\n\r\n{}`,
      failure: "ConnectionFailed",
    },
  ])("$name", async ({ says, failure }) => {
    const { port } = await startRaw((socket) => void socket.end(says));
    const found = await ask({ protocol: "http", port, maxRetries: 2 });
    expect(found).toMatchObject({ attempts: 3, failure: { class: failure } });
  });

  const bomb = gzipSync(Buffer.alloc(64 * mebibyte, " "));
  test.for<{ name: string; body: string | Buffer; headers?: Record<string, string> }>([
    { name: "it is HTML", body: "<html>" },
    { name: "it is empty", body: "" },
    { name: "it is a list", body: "[]" },
    { name: "it is the response of another service", body: '{"status":"ok"}' },
    { name: "its list is a number", body: '{"chosen_pods":1}' },
    { name: "its names are numbers", body: '{"chosen_pods":[1]}' },
    { name: "it is not UTF-8", body: Buffer.from([0x7b, 0xff, 0x7d]) },
    { name: "it is truncated", body: good.slice(0, -2) },
    { name: "it is compressed, however small", body: bomb, headers: { "content-encoding": "gzip" } },
    { name: "its header says it is compressed", body: good, headers: { "content-encoding": "br" } },
  ])("$name", async ({ body, headers = {} }) => {
    const found = await askServer((_, response) => response.writeHead(200, headers).end(body), {
      maxRetries: 1,
    });
    expect(found).toMatchObject({ attempts: 2, failure: { class: "Malformed" } });
  });
});

describe("these responses are not retried:", () => {
  test.for([
    {
      name: "a redirect to a metadata address",
      code: 302,
      location: "http://169.254.169.254/latest/",
      failure: "Redirected",
    },
    {
      name: "a permanent redirect",
      code: 308,
      location: "http://127.0.0.1:1/",
      failure: "Redirected",
    },
    { name: "204", code: 204, location: "", failure: "Refused" },
    { name: "202", code: 202, location: "", failure: "Refused" },
    { name: "401", code: 401, location: "", failure: "Refused" },
    { name: "404", code: 404, location: "", failure: "Refused" },
  ])("$name", async ({ code, location, failure }) => {
    const found = await askServer((_, response) => response.writeHead(code, { location }).end());
    expect(found).toMatchObject({ attempts: 1, failure: { class: failure, code: `HTTP ${code}` } });
  });

  test.for([
    { name: "a Content-Length beyond the limit", chunked: false },
    { name: "a chunked body beyond the limit", chunked: true },
  ])("$name", async ({ chunked }) => {
    const found = await askServer((_, response) => {
      if (chunked) response.flushHeaders();
      response.end(padded(mebibyte + 1));
    });
    expect(found).toMatchObject({ attempts: 1, failure: { class: "TooLarge" } });
  });

  test.for([
    { name: "a mebibyte of brackets", body: "[".repeat(mebibyte) },
    { name: "a mebibyte of nested lists", body: "[".repeat(mebibyte / 2) + "]".repeat(mebibyte / 2) },
    { name: "a mebibyte of objects", body: `[${"{},".repeat(mebibyte / 3 - 2)}{}]` },
    { name: "many numbers where names belong", body: `{"chosen_pods":[${"1,".repeat(90_000)}1]}` },
    { name: "a mebibyte of text", body: "x".repeat(mebibyte) },
  ])("$name", async ({ body }) => {
    const found = await askServer((_, response) => response.end(body), { maxRetries: 10 });
    expect(found).toMatchObject({ attempts: 1, failure: { class: "Malformed" } });
  });

  test("101 Switching Protocols", async () => {
    const says = "HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: h2c\r\n\r\n";
    const { port } = await startRaw((socket) => void socket.write(says));
    expect(await ask({ protocol: "http", port })).toMatchObject({
      attempts: 1,
      failure: { class: "Refused", code: "HTTP 101" },
    });
  });

  test("headers beyond the limit", async () => {
    const { port } = await startRaw((socket) => void socket.write(`${head}x: ${"y".repeat(100_000)}`));
    expect(await ask({ protocol: "http", port })).toMatchObject({
      attempts: 1,
      failure: { class: "TooLarge" },
    });
  });
});

test.for([{ chunked: false }, { chunked: true }])(
  "an answer of one mebibyte is read (chunked: $chunked)",
  async ({ chunked }) => {
    const found = await askServer((_, response) => {
      if (chunked) response.flushHeaders();
      response.end(padded(mebibyte));
    });
    expect(found).toMatchObject({ kind: "answered" });
  },
);

describe("Retry-After", () => {
  const busyOnce = (after: string): RequestListener => {
    let calls = 0;
    return (_, response) => {
      if (++calls === 1) response.writeHead(429, { "retry-after": after }).end();
      else response.end(good);
    };
  };

  test("is obeyed if it fits into the timeout", async () => {
    const clock = instantClock();
    expect(await askServer(busyOnce("0"), { clock })).toMatchObject({ kind: "answered", attempts: 2 });
  });

  test("ends the retries if it does not fit", async () => {
    const found = await askServer(busyOnce("5"));
    expect(found).toMatchObject({ attempts: 1, failure: { class: "Refused", code: "HTTP 429" } });
  });
});

test("a request has the fixed headers and those of the workload", async () => {
  let seen: Record<string, unknown> = {};
  let names: readonly string[] = [];
  const forged = ["Accept", "User-Agent"].map((name) => ({ name, value: "forged" }));
  const found = await askServer(
    (request, response) => {
      seen = { ...request.headers, method: request.method, url: request.url };
      names = request.rawHeaders.filter((_, index) => index % 2 === 0).map((name) => name.toLowerCase());
      response.end(good);
    },
    { path: "/pick?by=load", version: "1.2.3", headers: [{ name: "X-Who", value: "größe" }, ...forged] },
  );
  expect(names).toHaveLength(new Set(names).size);
  expect(found).toMatchObject({ kind: "answered" });
  expect(seen).toMatchObject({
    method: "POST",
    url: "/pick?by=load",
    "content-type": "application/json",
    accept: "application/json",
    "accept-encoding": "identity",
    "user-agent": "trimtab-pod-picker/1.2.3",
    "x-who": Buffer.from("größe").toString("latin1"),
  });
});
