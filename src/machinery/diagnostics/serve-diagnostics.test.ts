import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { Agent, request } from "undici";
import { expect, onTestFinished, test } from "vitest";
import { collectingLogger } from "../../testing/collecting-logger.ts";
import { ApiError } from "../client/api-error.ts";
import { VirtualClock } from "../clock/virtual-clock.ts";
import { ownCertificate } from "../https-server/serving-certificate.ts";
import { seededRandom } from "../random/random.ts";
import type { AccessRequest } from "./delegated-authorizer.ts";
import type { Diagnostics } from "./diagnostics.ts";
import { serveDiagnostics } from "./serve-diagnostics.ts";

async function serve(changes: Partial<Diagnostics> = {}) {
  const log = collectingLogger();
  const diagnostics: Diagnostics = {
    readiness: () => [{ name: "caches", ok: true }],
    metrics: () => Promise.resolve("up 1\n"),
    debug: (path, query) => (path === "/debug/decisions" ? { about: query.get("name") ?? "" } : undefined),
    ...changes,
  };
  const server = await serveDiagnostics(diagnostics, { port: 0, log });
  onTestFinished(() => server.close());
  const ask = async (path: string, options: Parameters<typeof request>[1] = {}) => {
    const { statusCode, body } = await request(`${server.url}${path}`, options);
    return `${statusCode} ${await body.text()}`;
  };
  return { ask, log, diagnostics, url: server.url };
}

test.for([
  { path: "/healthz", want: "200 ok" },
  { path: "/livez", want: "200 ok" },
  { path: "/readyz", want: "200 ok" },
  { path: "/readyz/caches", want: "200 ok" },
  { path: "/livez?verbose", want: "200 [+]ping ok\nlivez check passed\n" },
  { path: "/metrics", want: "200 up 1\n" },
  { path: "/debug/decisions?name=web", want: '200 {"about":"web"}' },
  { path: "/debug/other", want: "404 the server could not find the requested resource" },
  { path: "/", want: "404 the server could not find the requested resource" },
])("$path is answered with $want", async ({ path, want }) => {
  const { ask } = await serve();
  expect(await ask(path)).toBe(want);
});

test("a query that makes no sense is refused as the endpoint says", async () => {
  const { ask, log } = await serve({
    debug: () => {
      throw new ApiError({ code: 400, message: "limit: Invalid value" });
    },
  });
  expect(await ask("/debug/decisions?limit=x")).toBe("400 limit: Invalid value");
  expect(log.entries).toEqual([]);
});

test("what is not ready is named", async () => {
  const checks = [
    { name: "caches", ok: false },
    { name: "lease", ok: true },
  ];
  const { ask } = await serve({ readiness: () => checks });
  expect(await ask("/readyz")).toBe(
    "500 [+]ping ok\n[-]caches failed: reason withheld\n[+]lease ok\nreadyz check failed\n",
  );
});

test.for([
  { path: "/readyz?exclude=caches", want: "200 ok" },
  {
    path: "/readyz?exclude=caches&verbose",
    want: "200 [+]ping ok\n[+]caches excluded: ok\n[+]lease ok\nreadyz check passed\n",
  },
  {
    path: "/readyz?exclude=caches&exclude=moon&verbose",
    want: '200 [+]ping ok\n[+]caches excluded: ok\n[+]lease ok\nwarn: some health checks cannot be excluded: no matches for "moon"\nreadyz check passed\n',
  },
  { path: "/readyz/caches", want: "500 internal server error: caches failed\n" },
])("$path is answered with $want when the caches are not ready", async ({ path, want }) => {
  const checks = [
    { name: "caches", ok: false },
    { name: "lease", ok: true },
  ];
  const { ask } = await serve({ readiness: () => checks });
  expect(await ask(path)).toBe(want);
});

test("only GET requests for a loopback name are served", async () => {
  const { ask } = await serve();
  expect(await ask("/healthz", { method: "POST" })).toBe("405 only GET is served here");
  expect(await ask("/debug/decisions", { headers: { host: "evil.example" } })).toBe(
    '403 requests for host "evil.example" are not served here',
  );
});

test("a request that fails is answered with 500, and only the log has the cause", async () => {
  const { ask, log } = await serve({ metrics: () => Promise.reject(new Error("secret")) });
  expect(await ask("/metrics")).toBe("500 internal error; see the log");
  expect(log.entries.map(({ level }) => level)).toEqual(["error"]);
});

test("a port in use is reported in one sentence", async () => {
  const { diagnostics, log, url } = await serve();
  const port = Number(new URL(url).port);
  await expect(serveDiagnostics(diagnostics, { port, log })).rejects.toThrow(
    `cannot listen on port ${port} of 127.0.0.1: it is in use`,
  );
});

/** Diagnostics for other machines, which "Bearer jane" may read; `asked` is what was to be decided. */
async function serveSecurely() {
  const asked: AccessRequest[] = [];
  const certificate = ownCertificate({
    clock: new VirtualClock(),
    random: seededRandom("serving"),
  });
  const authorize = (access: AccessRequest) => {
    asked.push(access);
    const refused = { allowed: false, code: 401, message: "Unauthorized" } as const;
    return Promise.resolve(access.authorization === "Bearer jane" ? ({ allowed: true } as const) : refused);
  };
  const secure = { address: "127.0.0.1", ...certificate, authorize };
  const diagnostics = { readiness: () => [], metrics: () => "up 1\n" };
  const server = await serveDiagnostics(diagnostics, { port: 0, log: collectingLogger(), secure });
  const dispatcher = new Agent({ connect: { rejectUnauthorized: false } });
  onTestFinished(async () => {
    await dispatcher.close();
    await server.close();
  });
  const ask = async (path: string, authorization?: string) => {
    const headers = authorization === undefined ? {} : { authorization };
    const { statusCode, body } = await request(`${server.url}${path}`, { dispatcher, headers });
    return `${statusCode} ${await body.text()}`;
  };
  return { ask, asked, url: server.url };
}

test.for([
  { path: "/healthz", who: undefined, want: "200 ok" },
  { path: "/livez", who: undefined, want: "200 ok" },
  { path: "/readyz?verbose", who: undefined, want: "200 [+]ping ok\nreadyz check passed\n" },
  { path: "/metrics", who: undefined, want: "401 Unauthorized" },
  { path: "/debug/decisions", who: "Bearer joe", want: "401 Unauthorized" },
  { path: "/healthz/../metrics", who: undefined, want: "401 Unauthorized" },
  { path: "/healthz/x/y", who: undefined, want: "401 Unauthorized" },
  { path: "/", who: undefined, want: "401 Unauthorized" },
  { path: "/metrics", who: "Bearer jane", want: "200 up 1\n" },
])("over TLS, $path is answered for $who with $want", async ({ path, who, want }) => {
  const { ask } = await serveSecurely();
  expect(await ask(path, who)).toBe(want);
});

test("the path that is decided about is the path that is served", async () => {
  const { ask, asked } = await serveSecurely();
  await ask("/debug/../metrics?name=web", "Bearer jane");
  expect(asked).toEqual([{ authorization: "Bearer jane", verb: "get", path: "/metrics" }]);
});

test("another machine's plain HTTP gets nothing", async () => {
  const { url } = await serveSecurely();
  await expect(request(url.replace("https:", "http:"))).rejects.toThrow(/closed|hang up|reset/);
});

test("connections that send nothing give way, the oldest first", async () => {
  const { ask, url } = await serve();
  const sockets: Socket[] = [];
  for (let index = 0; index < 200; index++) {
    const socket = connect(Number(new URL(url).port), "127.0.0.1");
    onTestFinished(() => void socket.destroy());
    await once(socket, "connect");
    sockets.push(socket.resume());
  }
  expect(await ask("/healthz")).toBe("200 ok");
  const [oldest] = sockets;
  if (oldest?.closed === false) await once(oldest, "close");
  expect(sockets.at(-1)?.closed).toBe(false);
});
