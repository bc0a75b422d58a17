import { request } from "undici";
import { expect, onTestFinished, test } from "vitest";
import { collectingLogger } from "../../testing/collecting-logger.ts";
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

test("what is not ready is named", async () => {
  const checks = [
    { name: "caches", ok: false },
    { name: "lease", ok: true },
  ];
  const { ask } = await serve({ readiness: () => checks });
  expect(await ask("/readyz")).toBe("500 [+]ping ok\n[-]caches failed\n[+]lease ok\nreadyz check failed\n");
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
