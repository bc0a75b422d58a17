import { request } from "undici";
import { expect, onTestFinished, test } from "vitest";
import { collectingLogger } from "../../testing/collecting-logger.ts";
import { type Diagnostics, serveDiagnostics } from "./serve-diagnostics.ts";

async function serve(changes: Partial<Diagnostics> = {}) {
  const log = collectingLogger();
  const insights: Diagnostics = {
    readiness: () => [{ name: "caches", ok: true }],
    metrics: () => Promise.resolve("up 1\n"),
    debug: (path, query) => (path === "/debug/decisions" ? { about: query.get("name") ?? "" } : undefined),
    ...changes,
  };
  const server = await serveDiagnostics(insights, { port: 0, log });
  onTestFinished(() => server.close());
  const ask = async (path: string, options: Parameters<typeof request>[1] = {}) => {
    const { statusCode, body } = await request(`${server.url}${path}`, options);
    return `${statusCode} ${await body.text()}`;
  };
  return { ask, log, insights, url: server.url };
}

test.for([
  { path: "/healthz", want: "200 ok" },
  { path: "/livez", want: "200 ok" },
  { path: "/readyz", want: "200 ok" },
  { path: "/metrics", want: "200 up 1\n" },
  { path: "/debug/decisions?name=web", want: '200 {"about":"web"}' },
  { path: "/debug/other", want: "404 there is nothing here" },
  { path: "/", want: "404 there is nothing here" },
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
  expect(await ask("/readyz")).toBe("503 [-]caches\n[+]lease");
});

test("nothing can be changed here, and nobody gets in under another name", async () => {
  const { ask } = await serve();
  expect(await ask("/healthz", { method: "POST" })).toBe("405 only GET is served here");
  expect(await ask("/debug/decisions", { headers: { host: "evil.example" } })).toBe(
    '403 requests for host "evil.example" are not served here',
  );
});

test("an answer that fails is a 500 whose cause is only in the log", async () => {
  const { ask, log } = await serve({ metrics: () => Promise.reject(new Error("secret")) });
  expect(await ask("/metrics")).toBe("500 the log says why");
  expect(log.entries.map(({ level }) => level)).toEqual(["error"]);
});

test("a port that somebody else has is a sentence", async () => {
  const { insights, log, url } = await serve();
  const port = Number(new URL(url).port);
  await expect(serveDiagnostics(insights, { port, log })).rejects.toThrow(
    `cannot listen on port ${port} of 127.0.0.1: it is in use`,
  );
});
