import { describe, expect, test } from "vitest";
import { apiFailure } from "../machinery/client/api-error.ts";
import { linkLifetimeMs } from "./one-time-links.ts";
import { startTestPage, targetOf, withSession, podNamed } from "./page-fixture.contract.ts";

describe("a link", () => {
  test("opens the page for the browser that follows it", async () => {
    const { call, newLink, port } = await startTestPage();
    const opened = await call(`GET ${targetOf(newLink())}`);
    expect(opened.code).toBe(200);
    expect(opened.text).toContain('<meta http-equiv="refresh" content="0;url=/">');
    const [cookie = ""] = opened.headers["set-cookie"] ?? [];
    expect(cookie).toMatch(
      new RegExp(`^trimtab-page-${port}=[0-9a-f]{64}; HttpOnly; SameSite=Strict; Path=/$`),
    );
    const page = await call("GET /", { headers: { cookie: cookie.split(";")[0] ?? "" } });
    expect([page.code, page.text]).toEqual([200, "<!doctype html><title>the page</title>"]);
  });

  test("does so once, and within an hour; otherwise a page says what to do", async () => {
    const { call, newLink, api } = await startTestPage();
    const [used, late] = [targetOf(newLink()), targetOf(newLink())];
    await call(`GET ${used}`);
    await api.clock.advance(linkLifetimeMs);
    for (const target of [used, late, "/open?link=0000", "/open?link=", "/open", "/"]) {
      const answer = await call(`GET ${target}`);
      expect([answer.code, answer.headers["set-cookie"]]).toEqual([401, undefined]);
      expect(answer.text).toContain("press Enter there: a new link is printed");
    }
  });

  test("is not used up by a browser that opens it in advance, nor by a HEAD", async () => {
    const { call, newLink } = await startTestPage();
    const link = targetOf(newLink());
    expect((await call(`GET ${link}`, { headers: { "sec-purpose": "prefetch" } })).code).toBe(503);
    expect((await call(`HEAD ${link}`)).code).toBe(405);
    expect((await call(`GET ${link}`)).code).toBe(200);
  });
});

describe("without a session", () => {
  test.for([
    "/index.html",
    "/assets/index-a1b2.js",
    "/cluster.json",
    "/api/v1/pods",
    "/watch?of=/api/v1/pods",
    "/debug/decisions",
    "/nothing",
  ])("%s is 401", async (path) => {
    const { call } = await startTestPage();
    const { code, json } = await call(`GET ${path}`, { headers: { cookie: "trimtab-page=1; other=2" } });
    expect([code, json]).toEqual([401, expect.objectContaining({ kind: "Status", reason: "Unauthorized" })]);
  });
});

describe("the bundle", () => {
  test("is served with a policy that lets it talk to this server alone", async () => {
    const { get } = await withSession();
    for (const path of ["/", "/assets/index-a1b2.js"]) {
      const { headers } = await get(path);
      expect(headers).toMatchObject({
        "content-security-policy":
          "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; " +
          "img-src 'self' data:; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
        "x-content-type-options": "nosniff",
        "referrer-policy": "no-referrer",
        "cross-origin-opener-policy": "same-origin",
        "cross-origin-resource-policy": "same-origin",
      });
      expect(Object.keys(headers).filter((name) => name.startsWith("access-control"))).toEqual([]);
    }
    expect((await get("/")).headers["cache-control"]).toBe("no-store");
    expect((await get("/assets/index-a1b2.js")).headers).toMatchObject({
      "content-type": "text/javascript; charset=utf-8",
      "cache-control": "private, max-age=31536000, immutable",
    });
  });

  test.for([
    "/assets/../secret.txt",
    "/assets/%2e%2e/secret.txt",
    "/assets/..%2fsecret.txt",
    "/assets/",
    "/assets/x.js",
  ])("has no file %s", async (path) => {
    const { get } = await withSession();
    expect((await get(path)).code).toBe(404);
  });

  test("may be missing", async () => {
    const { get } = await withSession({ folder: "/nonexistent" });
    const { code, text } = await get("/");
    expect([code, text.includes("npm run build")]).toEqual([200, true]);
  });
});

describe("reads", () => {
  test("are answered by the API server, errors included", async () => {
    const { get, api } = await withSession();
    await api.request("POST /api/v1/namespaces/default/pods", podNamed("web-1"));
    const list = await get("/api/v1/namespaces/default/pods?limit=5");
    expect(list.json).toMatchObject({ kind: "PodList", items: [{ metadata: { name: "web-1" } }] });
    expect(await get("/api/v1/namespaces/default/pods/web-2")).toMatchObject({
      code: 404,
      json: { kind: "Status", reason: "NotFound", message: 'pods "web-2" not found' },
    });
    expect((await get("/api/v1/pods?limit=many")).code).toBe(400);
  });

  test("carry none of the browser's headers", async () => {
    const seen: unknown[] = [];
    const page = await withSession({
      open: async (request) => {
        seen.push(request);
        throw new Error("enough");
      },
    });
    const headers = { cookie: page.cookie, accept: "application/yaml", "impersonate-user": "admin" };
    await page.call("GET /api/v1/pods", { headers });
    expect(seen).toEqual([{ method: "GET", path: "/api/v1/pods" }]);
  });

  test("are 502 while the API server does not answer, and the cluster is told the same way", async () => {
    const page = await withSession({ open: () => Promise.reject(new Error("connect ECONNREFUSED")) });
    for (const path of ["/api/v1/pods", "/cluster.json", "/debug/decisions"])
      expect(await page.get(path)).toMatchObject({
        code: 502,
        json: {
          kind: "Status",
          reason: "BadGateway",
          message: "the API server does not answer: connect ECONNREFUSED",
        },
      });
  });

  test("are 502 while the API server does not accept the credentials: 401 would end the session of the browser", async () => {
    const page = await withSession({
      open: () => Promise.reject(apiFailure(401, "Unauthorized", "token expired")),
    });
    const message = "the API server does not accept the credentials of the user: token expired";
    expect(await page.get("/api/v1/pods")).toMatchObject({
      code: 502,
      json: { reason: "BadGateway", message },
    });
    expect((await page.get("/watch?of=/api/v1/pods")).text).toContain(
      `"code":502,"reason":"BadGateway","message":"${message}"`,
    );
  });

  test("of the cluster say what it is and what time it is there", async () => {
    const { get } = await withSession({ apiServer: { version: "0.1.0" } });
    expect((await get("/cluster.json")).json).toMatchObject({
      mode: "embedded",
      version: expect.stringMatching(/^v1\.\d+\.\d+-trimtab\.0\.1\.0$/) as string,
      writes: true,
      time: { speed: 1, paused: false },
    });
  });

  test("of records are forwarded where there are any", async () => {
    const asked: string[] = [];
    const debug = (path: string, query: URLSearchParams) => {
      asked.push(`${path} ${query.toString()}`);
      return { removals: [] };
    };
    const { get } = await withSession({ apiServer: { debug } });
    expect((await get("/debug/decisions?namespace=default&name=web&evil=1")).json).toEqual({ removals: [] });
    expect(asked).toEqual(["/debug/decisions namespace=default&name=web"]);
    const other = await withSession({ cluster: { records: [] }, apiServer: { debug } });
    expect(await other.get("/debug/decisions")).toMatchObject({
      code: 404,
      json: { message: "this cluster keeps no records of decisions: only those of trimtab up do" },
    });
    expect(asked).toHaveLength(1);
  });
});
