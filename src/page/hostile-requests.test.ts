import { once } from "node:events";
import type { Socket } from "node:net";
import { describe, expect, test } from "vitest";
import { type PageCall, withSession } from "./page-fixture.contract.ts";

type Page = Awaited<ReturnType<typeof withSession>>;

/** What the browser of the page sends with an action. */
const actionHeaders = ({ url, cookie }: Page) => ({
  cookie,
  origin: url,
  "trimtab-page": "1",
  "content-type": "application/json",
});

const cordon = JSON.stringify({ action: "cordon", node: "node-1" });

async function pageWithNode(): Promise<Page> {
  const page = await withSession();
  await page.api.request("POST /api/v1/nodes", { metadata: { name: "node-1" } });
  return page;
}

const isCordoned = async ({ api }: Page) =>
  (await api.request("GET /api/v1/nodes/node-1")).body["spec"] !== undefined &&
  JSON.stringify((await api.request("GET /api/v1/nodes/node-1")).body["spec"]).includes("unschedulable");

/** Writes bytes on a connection of its own and returns all that comes back until the server closes it. */
async function speak({ connect }: Page, ...parts: readonly string[]): Promise<string> {
  const socket = await connect();
  const answer = received(socket);
  for (const part of parts) socket.write(part);
  return answer;
}

async function received(socket: Socket): Promise<string> {
  let text = "";
  socket.setEncoding("latin1").on("data", (chunk: string) => (text += chunk));
  await once(socket, "close");
  return text;
}

describe("a page that resolves its own name to this machine", () => {
  test.for([
    "evil.example",
    "evil.example:PORT",
    "127.0.0.1",
    "127.0.0.1:1",
    "127.0.0.1:PORT.evil.example",
    "localhost.evil.example:PORT",
    "LOCALHOST:PORT",
    "0.0.0.0:PORT",
    "[::1]:PORT",
    "user@127.0.0.1:PORT",
  ])("is refused: Host %s", async (host) => {
    const page = await withSession();
    const headers = { cookie: page.cookie, host: host.replace("PORT", String(page.port)) };
    for (const path of ["/", "/cluster.json", "/open?link=1"])
      expect(await page.call(`GET ${path}`, { headers })).toMatchObject({
        code: 421,
        json: { reason: "MisdirectedRequest" },
      });
  });

  test("is refused with two Hosts, or none", async () => {
    const page = await withSession();
    const own = `Host: 127.0.0.1:${page.port}`;
    const end = `Cookie: ${page.cookie}\r\nConnection: close\r\n\r\n`;
    expect(await speak(page, `GET / HTTP/1.1\r\n${own}\r\nHost: evil.example\r\n${end}`)).toMatch(
      /^HTTP\/1.1 4\d\d/,
    );
    expect(await speak(page, `GET / HTTP/1.1\r\n${end}`)).toMatch(/^HTTP\/1.1 4\d\d/);
    expect(await speak(page, `GET / HTTP/1.0\r\n${end}`)).toMatch(/^HTTP\/1.1 4\d\d/);
    expect(await speak(page, `GET / HTTP/1.1\r\n${own}\r\n${end}`)).toMatch(/^HTTP\/1.1 200/);
  });

  test("localhost is this machine", async () => {
    const page = await withSession();
    const headers = { cookie: page.cookie, host: `localhost:${page.port}` };
    expect((await page.call("GET /cluster.json", { headers })).code).toBe(200);
  });
});

describe("a page of another origin", () => {
  test.for([
    ["its origin", { origin: "http://evil.example" }],
    ["a file", { origin: "null" }],
    ["another port of this machine", { origin: "http://127.0.0.1:1", "sec-fetch-site": "same-site" }],
    ["https", { origin: "https://127.0.0.1:PORT" }],
    ["an image", { "sec-fetch-site": "cross-site", "sec-fetch-dest": "image" }],
    ["a script of another port", { "sec-fetch-site": "same-site", "sec-fetch-dest": "script" }],
  ] as const)("reads nothing: %s", async ([, sent]) => {
    const page = await withSession();
    const headers = Object.fromEntries(
      Object.entries({ ...sent, cookie: page.cookie }).map(([name, value]) => [
        name,
        value.replace("PORT", String(page.port)),
      ]),
    );
    for (const path of ["/cluster.json", "/api/v1/pods", "/watch?of=/api/v1/pods", "/assets/index-a1b2.js"]) {
      const answer = await page.call(`GET ${path}`, { headers });
      expect(answer.code).toBe(403);
      expect(answer.headers).not.toHaveProperty("access-control-allow-origin");
    }
  });

  test("may not ask beforehand", async () => {
    const page = await withSession();
    const headers = { origin: "http://evil.example", "access-control-request-method": "POST" };
    const { code, headers: answered } = await page.call("OPTIONS /do", { headers });
    expect(code).toBe(403);
    expect(Object.keys(answered).filter((name) => name.startsWith("access-control"))).toEqual([]);
  });

  test("may link to the page, which says what to do without a cookie", async () => {
    const { call } = await withSession();
    const { code, text } = await call("GET /", { headers: { "sec-fetch-site": "cross-site" } });
    expect([code, text.includes("a new link is printed")]).toEqual([401, true]);
  });
});

describe("an action", () => {
  test("is performed for the page itself", async () => {
    const page = await pageWithNode();
    const answer = await page.call("POST /do", { headers: actionHeaders(page), body: cordon });
    expect([answer.code, answer.json]).toEqual([
      200,
      { kubectl: "kubectl cordon node-1", done: ["node/node-1 cordoned"], refused: [] },
    ]);
    expect(await isCordoned(page)).toBe(true);
  });

  const without = (name: string) => (headers: Record<string, string>) =>
    Object.fromEntries(Object.entries(headers).filter(([key]) => key !== name));
  const having = (more: Record<string, string>) => (headers: Record<string, string>) => ({
    ...headers,
    ...more,
  });

  test.for([
    ["no cookie", 401, without("cookie")],
    ["another cookie", 401, having({ cookie: "trimtab-page=1" })],
    ["no Origin, as old browsers send forms", 403, without("origin")],
    ["another Origin", 403, having({ origin: "http://evil.example" })],
    ["the Origin of another name of this server", 403, having({ origin: "http://localhost:1" })],
    ["no header of ours", 403, without("trimtab-page")],
    ["another value of it", 403, having({ "trimtab-page": "2" })],
    ["the body of a form", 415, having({ "content-type": "text/plain" })],
    ["another form", 415, having({ "content-type": "application/x-www-form-urlencoded" })],
    ["no type", 415, without("content-type")],
    ["another site", 403, having({ "sec-fetch-site": "cross-site" })],
    ["another port", 403, having({ "sec-fetch-site": "same-site" })],
  ] as const)("is refused with %s: %s", async ([, want, change]) => {
    const page = await pageWithNode();
    const headers = change(actionHeaders(page));
    expect((await page.call("POST /do", { headers, body: cordon })).code).toBe(want);
    expect(await isCordoned(page)).toBe(false);
  });

  test("is small, however it is sent", async () => {
    const page = await pageWithNode();
    const headers = actionHeaders(page);
    const large = { headers, body: cordon.padEnd(5000) } satisfies PageCall;
    const inChunks = { headers: { ...headers, "transfer-encoding": "chunked" }, body: cordon.padEnd(70_000) };
    for (const call of [large, inChunks]) expect((await page.call("POST /do", call)).code).toBe(413);
    expect(await isCordoned(page)).toBe(false);
  });

  test.for(["GET", "PUT", "PATCH", "DELETE", "HEAD"])("is no %s", async (method) => {
    const page = await pageWithNode();
    expect((await page.call(`${method} /do`, { headers: actionHeaders(page) })).code).toBe(405);
  });

  test("is refused for clusters that are not ours", async () => {
    const page = await withSession({ cluster: { writes: false } });
    const answer = await page.call("POST /do", { headers: actionHeaders(page), body: cordon });
    expect(answer).toMatchObject({
      code: 403,
      json: { message: "this page only reads: it changes clusters of trimtab up alone" },
    });
  });
});

describe("requests that are no reads", () => {
  test.for(["POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "PROPFIND"])(
    "%s changes nothing",
    async (method) => {
      const page = await pageWithNode();
      const headers = actionHeaders(page);
      for (const path of ["/api/v1/nodes/node-1", "/cluster.json", "/open?link=1", "/"])
        expect((await page.call(`${method} ${path}`, { headers, body: "{}" })).code).toBe(405);
      expect((await page.get("/api/v1/nodes/node-1")).code).toBe(200);
    },
  );

  test("a GET with a body, another protocol, an absolute target and CONNECT are refused", async () => {
    const page = await withSession();
    const { cookie } = page;
    const upgrade = { cookie, connection: "Upgrade", upgrade: "websocket" };
    expect((await page.call("GET /cluster.json", { headers: { cookie }, body: "{}" })).code).toBe(400);
    expect((await page.call("GET /api/v1/pods?watch=1", { headers: upgrade })).code).toBe(400);
    const rest = `Host: 127.0.0.1:${page.port}\r\nCookie: ${cookie}\r\nConnection: close\r\n\r\n`;
    for (const target of [`${page.url}/cluster.json`, "http://evil.example/api/v1/pods", "*"])
      expect(await speak(page, `GET ${target} HTTP/1.1\r\n${rest}`)).toMatch(/^HTTP\/1.1 400/);
    expect(await speak(page, `CONNECT 127.0.0.1:6443 HTTP/1.1\r\n${rest}`)).not.toContain("200");
  });
});

describe("clients that hold on to the server", () => {
  test("get no further with headers that are too large", async () => {
    const page = await withSession();
    const huge = "x".repeat(20_000);
    const rest = `Host: 127.0.0.1:${page.port}\r\nConnection: close\r\n\r\n`;
    expect(await speak(page, `GET /?${huge} HTTP/1.1\r\n${rest}`)).toMatch(/^HTTP\/1.1 431/);
    expect(await speak(page, `GET / HTTP/1.1\r\nCookie: ${huge}\r\n${rest}`)).toMatch(/^HTTP\/1.1 431/);
    expect((await page.get("/cluster.json")).code).toBe(200);
  });

  test("are disconnected when they do not read, and the API server is read no faster than they do", async () => {
    const chunk = Buffer.alloc(64 * 1024, " ");
    const api = { chunks: 0, isClosed: false };
    async function* endless() {
      try {
        for (; ; api.chunks++) yield chunk;
      } finally {
        api.isClosed = true;
      }
    }
    const body = () => Object.assign(endless(), { text: async () => "", destroy: () => undefined });
    const page = await withSession({
      open: async () => ({ code: 200, header: () => undefined, body: body() }),
    });
    const socket = await page.connect();
    socket.pause();
    socket.write(
      `GET /api/v1/pods HTTP/1.1\r\nHost: 127.0.0.1:${page.port}\r\nCookie: ${page.cookie}\r\n\r\n`,
    );
    while (!api.isClosed) {
      await page.get("/"); // lets the sockets fill
      await page.api.clock.advance(31_000);
    }
    // What the operating system buffers for a connection, and no more.
    expect(api.chunks * chunk.byteLength).toBeLessThan(64 * 2 ** 20);
  });

  test("leave room for others: connections are limited", async () => {
    const page = await withSession();
    let dropped = 0;
    const sockets = await Promise.all(Array.from({ length: 200 }, () => page.connect()));
    await new Promise<void>((resolve) => {
      for (const socket of sockets)
        socket.resume().once("close", () => {
          dropped++;
          if (dropped === sockets.length - 128) resolve();
        });
    });
    for (const socket of sockets) socket.destroy();
    const isServed = () =>
      page.get("/").then(
        ({ code }) => code === 200,
        () => false, // refused until the server has noticed that the others are gone
      );
    while (!(await isServed()));
    expect(page.log.entries).toEqual([]);
  });
});
