import { expect, test } from "vitest";
import { startHttpsTestApiServer } from "./https-fixture.contract.ts";

test.for([
  "GET /api/v1/namespaces/default/endpoints",
  "GET /api/v1/namespaces/default/endpoints/none",
  "GET /api/v1/endpoints?watch=true&timeoutSeconds=0&sendInitialEvents=true",
  "DELETE /api/v1/namespaces/default/endpoints",
])("%s is answered with a warning that the kind is deprecated", async (what) => {
  const { call } = await startHttpsTestApiServer();
  expect((await call(what)).headers["warning"]).toBe(
    '299 - "v1 Endpoints is deprecated in v1.33+; use discovery.k8s.io/v1 EndpointSlice"',
  );
});

test("a warning about a kind comes before those about an object", async () => {
  const { call } = await startHttpsTestApiServer();
  const { headers } = await call("POST /api/v1/namespaces/default/endpoints", {
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ metadata: { name: "a" }, colour: "red" }),
  });
  expect(headers["warning"]).toMatch(/^299 - "v1 Endpoints is deprecated .*", 299 - "unknown field/);
});
