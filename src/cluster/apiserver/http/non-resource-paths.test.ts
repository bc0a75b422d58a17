import { expect, test } from "vitest";
import { startHttpsTestApiServer } from "./https-fixture.contract.ts";

test("the root lists the paths that are no resources, and each is served", async () => {
  const { call } = await startHttpsTestApiServer({ metrics: () => "" });
  const { paths } = JSON.parse((await call("GET /")).text) as { readonly paths: readonly string[] };
  expect(paths).toEqual(
    expect.arrayContaining(["/api", "/api/v1", "/apis/apps", "/apis/apps/v1", "/version"]),
  );
  for (const path of paths) {
    expect((await call(`GET ${path}`)).code).toBe(200);
    expect((await call(`POST ${path}`)).code).toBe(405);
  }
});

test.for(["POST", "PUT", "PATCH", "DELETE"])(
  "%s of a path for debugging that is only read gets 405",
  async (method) => {
    const { call } = await startHttpsTestApiServer({
      debug: (path) => (path === "/debug/decisions" ? {} : undefined),
      debugAction: async (path) => (path === "/debug/time/pause" ? {} : undefined),
    });
    expect((await call(`${method} /debug/decisions`)).code).toBe(405);
    expect((await call(`${method} /debug/time/pause`)).code).toBe(method === "POST" ? 200 : 404);
  },
);

test.for(["GET", "POST", "PUT", "PATCH", "DELETE"])(
  "%s of a path that is not there gets 404",
  async (method) => {
    const { call } = await startHttpsTestApiServer();
    for (const path of [
      "/nowhere",
      "/apis/nope",
      "/apis/nope/v1",
      "/apis/apps/v9",
      "/api/v1/lamps",
      "/debug/x",
    ])
      expect([path, (await call(`${method} ${path}`)).code]).toEqual([path, 404]);
  },
);
