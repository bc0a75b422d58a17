import { gzipSync } from "node:zlib";
import { once } from "node:events";
import type { RequestListener } from "node:http";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { describe, expect, onTestFinished, test } from "vitest";
import { ask, type AskOptions } from "./ask.ts";
import { startHttpServer } from "./http-picker.ts";
import { instantClock } from "./instant-clock.ts";

/** A server that does with a connection what it likes, once something has been said. */
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
/** Exactly so many bytes of a good answer. */
const padded = (bytes: number) => good + " ".repeat(bytes - good.length);
const mebibyte = 1024 * 1024;

describe("a picker that never comes to an end is left when its time is up:", () => {
  test.for([
    { name: "it says nothing at all", says: "" },
    { name: "its headers never end", says: `${head}x-a: b\r\n` },
    { name: "its body comes byte by byte", says: `${head}content-length: 100\r\n\r\n{` },
    {
      name: "its body has no length and no end",
      says: `${head}transfer-encoding: chunked\r\n\r\n1\r\n{\r\n`,
    },
    { name: "it keeps promising", says: "HTTP/1.1 103 Early Hints\r\n\r\nHTTP/1.1 103 Early Hints\r\n\r\n" },
  ])("$name", async ({ says }) => {
    const clock = instantClock();
    const { port, heard } = await startRaw((socket) => void socket.write(says));
    const finding = ask({ protocol: "http", port, clock });
    await heard;
    clock.expire();
    expect(await finding).toMatchObject({ attempts: 1, failure: { class: "Timeout" } });
  });

  test("it speaks no gRPC", async () => {
    const clock = instantClock();
    const { port, heard } = await startRaw(() => undefined);
    const finding = ask({ protocol: "grpc", port, clock });
    await heard;
    clock.expire();
    expect(await finding).toMatchObject({ attempts: 1, failure: { class: "Timeout" } });
  });
});

describe("a picker whose answer is none is asked again, as often as allowed:", () => {
  test.for([
    {
      name: "it resets the connection in the middle",
      says: `${head}content-length: 100\r\n\r\n{"chosen`,
      failure: "ConnectionFailed",
    },
    { name: "it closes the connection at once", says: "", failure: "ConnectionFailed" },
    { name: "it speaks something else", says: "SSH-2.0-OpenSSH_9.6\r\n", failure: "ConnectionFailed" },
    {
      name: "it sends two lengths",
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
    { name: "it is a page", body: "<html>" },
    { name: "it is nothing", body: "" },
    { name: "it is a list", body: "[]" },
    { name: "it is of some other service", body: '{"status":"ok"}' },
    { name: "its list is a number", body: '{"chosen_pods":1}' },
    { name: "its names are numbers", body: '{"chosen_pods":[1]}' },
    { name: "it is not UTF-8", body: Buffer.from([0x7b, 0xff, 0x7d]) },
    { name: "it is nested without end", body: "[".repeat(500_000) },
    { name: "it is half an answer", body: good.slice(0, -2) },
    { name: "it is compressed, however small", body: bomb, headers: { "content-encoding": "gzip" } },
    { name: "it says it is compressed", body: good, headers: { "content-encoding": "br" } },
  ])("$name", async ({ body, headers = {} }) => {
    const found = await askServer((_, response) => response.writeHead(200, headers).end(body), {
      maxRetries: 1,
    });
    expect(found).toMatchObject({ attempts: 2, failure: { class: "Malformed" } });
  });
});

describe("a picker that will not do is asked once:", () => {
  test.for([
    {
      name: "it sends us to a metadata address",
      code: 302,
      location: "http://169.254.169.254/latest/",
      failure: "Redirected",
    },
    {
      name: "it sends us elsewhere for good",
      code: 308,
      location: "http://127.0.0.1:1/",
      failure: "Redirected",
    },
    { name: "it has nothing to say", code: 204, location: "", failure: "Refused" },
    { name: "it accepts, for later", code: 202, location: "", failure: "Refused" },
    { name: "it does not know us", code: 401, location: "", failure: "Refused" },
    { name: "it is not there", code: 404, location: "", failure: "Refused" },
  ])("$name", async ({ code, location, failure }) => {
    const found = await askServer((_, response) => response.writeHead(code, { location }).end());
    expect(found).toMatchObject({ attempts: 1, failure: { class: failure, code: `HTTP ${code}` } });
  });

  test.for([
    { name: "it announces too much", chunked: false },
    { name: "it sends too much, unannounced", chunked: true },
  ])("$name", async ({ chunked }) => {
    const found = await askServer((_, response) => {
      if (chunked) response.flushHeaders();
      response.end(padded(mebibyte + 1));
    });
    expect(found).toMatchObject({ attempts: 1, failure: { class: "TooLarge" } });
  });

  test("it would speak something else from now on", async () => {
    const says = "HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: h2c\r\n\r\n";
    const { port } = await startRaw((socket) => void socket.write(says));
    expect(await ask({ protocol: "http", port })).toMatchObject({
      attempts: 1,
      failure: { class: "Refused", code: "HTTP 101" },
    });
  });

  test("its headers are longer than anything", async () => {
    const { port } = await startRaw((socket) => void socket.write(`${head}x: ${"y".repeat(100_000)}`));
    expect(await ask({ protocol: "http", port })).toMatchObject({
      attempts: 1,
      failure: { class: "TooLarge" },
    });
  });
});

test.for([{ chunked: false }, { chunked: true }])(
  "a mebibyte is read to its last byte (chunked: $chunked)",
  async ({ chunked }) => {
    const found = await askServer((_, response) => {
      if (chunked) response.flushHeaders();
      response.end(padded(mebibyte));
    });
    expect(found).toMatchObject({ kind: "answered" });
  },
);

describe("a picker that asks to be left alone", () => {
  const busyOnce = (after: string): RequestListener => {
    let calls = 0;
    return (_, response) => {
      if (++calls === 1) response.writeHead(429, { "retry-after": after }).end();
      else response.end(good);
    };
  };

  test("is, for as long as it wants, if that fits", async () => {
    const clock = instantClock();
    expect(await askServer(busyOnce("0"), { clock })).toMatchObject({ kind: "answered", attempts: 2 });
  });

  test("is not asked again if that does not fit", async () => {
    const found = await askServer(busyOnce("5"));
    expect(found).toMatchObject({ attempts: 1, failure: { class: "Refused", code: "HTTP 429" } });
  });
});

test("what is fixed about a request goes with it, and so do the headers of the workload", async () => {
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
