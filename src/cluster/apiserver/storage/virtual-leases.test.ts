import { expect, test } from "vitest";
import { namesIn, pendingEvents, startTestApiServer } from "../api-server-fixture.contract.ts";

const leases = "/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases";
const lease = (name: string) => ({
  apiVersion: "coordination.k8s.io/v1",
  kind: "Lease",
  metadata: { name, namespace: "kube-node-lease", uid: `uid-${name}`, resourceVersion: "1" },
  spec: { holderIdentity: name },
});

async function worldWithNodes(...names: readonly string[]) {
  const fixture = await startTestApiServer({ virtualLeases: { list: () => names.map(lease) } });
  await fixture.request("POST /api/v1/namespaces", { metadata: { name: "kube-node-lease" } });
  return fixture;
}

test("virtual leases can be read, one by one, listed and in pages", async () => {
  const { request } = await worldWithNodes("n1", "n2", "n3");
  expect((await request(`GET ${leases}/n2`)).body).toMatchObject({ spec: { holderIdentity: "n2" } });
  expect((await request(`GET ${leases}/n9`)).code).toBe(404);
  expect(namesIn(await request(`GET ${leases}`))).toEqual(["n1", "n2", "n3"]);
  const first = await request(`GET ${leases}?limit=2`);
  expect(first.body).toMatchObject({ metadata: { remainingItemCount: 1 } });
  const { continue: token } = first.body["metadata"] as Record<string, string>;
  expect(namesIn(await request(`GET ${leases}?limit=2&continue=${token}`))).toEqual(["n3"]);
});

test("a stored lease hides the virtual one", async () => {
  const { request } = await worldWithNodes("n1", "n2");
  expect(
    (await request(`PUT ${leases}/n2`, { metadata: { name: "n2" }, spec: { holderIdentity: "real" } })).code,
  ).toBe(201);
  expect((await request(`GET ${leases}/n2`)).body).toMatchObject({ spec: { holderIdentity: "real" } });
  expect(namesIn(await request(`GET ${leases}`))).toEqual(["n1", "n2"]);
});

test("no other namespace, kind or watch knows of them", async () => {
  const { request, watch } = await worldWithNodes("n1");
  expect(namesIn(await request("GET /apis/coordination.k8s.io/v1/namespaces/default/leases"))).toEqual([]);
  expect(namesIn(await request("GET /api/v1/namespaces/kube-node-lease/configmaps"))).toEqual([]);
  expect(pendingEvents(await watch(`${leases}?watch=true`))).toEqual([]);
});
