import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, expect, test } from "vitest";
import { WallClock } from "../machinery/clock/wall-clock.ts";
import { silentLogger } from "../machinery/log/logger.ts";
import { type PlaygroundServer, startPlaygroundServer } from "./playground-server.ts";

const folder = mkdtempSync(path.join(tmpdir(), "trimtab-playground-"));
let server: PlaygroundServer;

beforeAll(async () => {
  mkdirSync(path.join(folder, "assets"));
  writeFileSync(path.join(folder, "index.html"), "<!doctype html><title>play</title>");
  writeFileSync(path.join(folder, "assets/main-1.js"), "export {};");
  writeFileSync(path.join(folder, "assets/packed-1.js.gz"), gzipSync("export const packed = true;"));
  writeFileSync(path.join(folder, "service-worker.js"), "// keeps files");
  writeFileSync(path.join(folder, "secret.txt"), "secret");
  server = await startPlaygroundServer({ port: 0, folder, clock: new WallClock(), log: silentLogger });
});
afterAll(async () => {
  await server.close();
  rmSync(folder, { recursive: true });
});

test("the page and its files are served to anybody on this machine, and may ask nobody for anything", async () => {
  const page = await fetch(`${server.url}/`);
  expect(await page.text()).toContain("<title>play</title>");
  const policy = page.headers.get("content-security-policy") ?? "";
  expect(policy).toContain("default-src 'none'");
  expect(policy).toContain("connect-src 'none'");
  const script = await fetch(`${server.url}/assets/main-1.js`);
  expect([script.status, script.headers.get("content-type")]).toEqual([
    200,
    "text/javascript; charset=utf-8",
  ]);
});

test("the service worker is asked for anew, and may ask this server alone", async () => {
  const worker = await fetch(`${server.url}/service-worker.js`);
  expect(await worker.text()).toBe("// keeps files");
  expect(worker.headers.get("content-security-policy")).toBe("default-src 'none'; connect-src 'self'");
  expect(worker.headers.get("cache-control")).toBe("no-cache");
});

test.for([
  { what: "is sent as it is", accepted: "gzip, deflate, br", encoding: "gzip" },
  { what: "is unpacked for who does not take it", accepted: "identity", encoding: null },
])("a file that is stored compressed $what", async ({ accepted, encoding }) => {
  const headers = { "accept-encoding": accepted };
  const script = await fetch(`${server.url}/assets/packed-1.js`, { headers });
  expect({ text: await script.text(), encoding: script.headers.get("content-encoding") }).toEqual({
    text: "export const packed = true;",
    encoding,
  });
  expect(script.headers.get("content-type")).toBe("text/javascript; charset=utf-8");
});

test.for([
  "/secret.txt",
  "/assets/../secret.txt",
  "/assets/%2e%2e/secret.txt",
  "/assets/none.js",
  "/assets/packed-1.js.gz",
  "/cluster.json",
])("%s is not there", async (file) => {
  expect((await fetch(`${server.url}${file}`)).status).toBe(404);
});

test.for([
  { name: "of another host", headers: { host: "evil.example" }, want: 421 },
  { name: "of a page of another origin", headers: { origin: "https://evil.example" }, want: 403 },
])("a request $name is refused", async ({ headers, want }) => {
  const { request } = await import("node:http");
  const code = await new Promise((resolve, reject) => {
    const sent = request(`${server.url}/`, { headers }, (answer) => {
      answer.resume();
      resolve(answer.statusCode);
    });
    sent.on("error", reject).end();
  });
  expect(code).toBe(want);
});
