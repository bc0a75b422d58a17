import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../../api/json.ts";
import { type ResponseSummary, startTestApiServer } from "../api-server-fixture.contract.ts";

const services = "/api/v1/namespaces/default/services";
const service = (name: string, spec: JsonObject = {}) => ({
  metadata: { name },
  spec: { ports: [{ port: 80 }], ...spec },
});
const specIn = ({ body }: ResponseSummary) => body["spec"] as JsonObject;
const address = /^240\.96\.\d{1,3}\.\d{1,3}$/;

describe("an address", () => {
  test("is given to every Service that needs one, each its own", async () => {
    const { request } = await startTestApiServer();
    const given = new Set<unknown>();
    for (const name of ["a", "b", "c"]) {
      const { clusterIP, clusterIPs } = specIn(await request(`POST ${services}`, service(name)));
      expect(clusterIP).toMatch(address);
      expect(clusterIPs).toEqual([clusterIP]);
      given.add(clusterIP);
    }
    expect(given.size).toBe(3);
  });

  test.for([
    { name: "one that has none", spec: { clusterIP: "None" }, want: "None" },
    {
      name: "an external name",
      spec: { type: "ExternalName", externalName: "example.com" },
      want: undefined,
    },
    { name: "one that asks for a free one", spec: { clusterIP: "240.96.7.7" }, want: "240.96.7.7" },
  ])("of $name is $want", async ({ spec, want }) => {
    const { request } = await startTestApiServer();
    expect(specIn(await request(`POST ${services}`, service("a", spec)))["clusterIP"]).toBe(want);
  });

  test("of the API server is the first", async () => {
    const { request } = await startTestApiServer();
    expect(specIn(await request(`POST ${services}`, service("kubernetes")))["clusterIP"]).toBe("240.96.0.1");
  });

  test.for<{ name: string; spec: JsonObject; why: string }>([
    {
      name: "two families",
      spec: { ipFamilyPolicy: "RequireDualStack" },
      why: "this cluster is not configured for dual-stack services",
    },
    { name: "IPv6", spec: { ipFamilies: ["IPv6"] }, why: "not configured on this cluster" },
    {
      name: "two addresses at once",
      spec: { clusterIP: "240.96.7.7", clusterIPs: ["240.96.7.8"] },
      why: "first value must match `clusterIP`",
    },
  ])("is refused to a Service that asks for $name", async ({ spec, why }) => {
    const { request } = await startTestApiServer();
    const answer = await request(`POST ${services}`, service("a", spec));
    expect(answer.code).toBe(422);
    expect(answer.body["message"]).toContain(why);
  });

  test("is one, of IPv4, for a Service that would like two", async () => {
    const { request } = await startTestApiServer();
    const spec = specIn(
      await request(`POST ${services}`, service("a", { ipFamilyPolicy: "PreferDualStack" })),
    );
    expect(spec).toMatchObject({ ipFamilies: ["IPv4"], clusterIPs: [expect.stringMatching(address)] });
  });

  test.for([
    { name: "taken", clusterIP: "240.96.7.7", why: "provided IP is already allocated" },
    {
      name: "outside the network",
      clusterIP: "240.97.0.1",
      why: "is not in the valid range. The range of valid IPs is 240.96.0.0/16",
    },
    {
      name: "the network's own",
      clusterIP: "240.96.0.0",
      why: "is not in the valid range. The range of valid IPs is 240.96.0.0/16",
    },
    {
      name: "everybody's",
      clusterIP: "240.96.255.255",
      why: "is not in the valid range. The range of valid IPs is 240.96.0.0/16",
    },
  ])("that is $name is refused", async ({ clusterIP, why }) => {
    const { request } = await startTestApiServer();
    await request(`POST ${services}`, service("a", { clusterIP: "240.96.7.7" }));
    const answer = await request(`POST ${services}`, service("b", { clusterIP }));
    expect(answer.code).toBe(422);
    expect(answer.body["message"]).toContain(why);
  });

  test("is free again when its Service is gone", async () => {
    const { request } = await startTestApiServer();
    await request(`POST ${services}`, service("a", { clusterIP: "240.96.7.7" }));
    await request(`DELETE ${services}/a`);
    expect((await request(`POST ${services}`, service("b", { clusterIP: "240.96.7.7" }))).code).toBe(201);
  });

  test("stays when an update leaves it out, and comes when the type begins to need one", async () => {
    const { request } = await startTestApiServer();
    const { clusterIP } = specIn(await request(`POST ${services}`, service("a")));
    expect(
      specIn(await request(`PUT ${services}/a`, service("a", { ports: [{ port: 81 }] })))["clusterIP"],
    ).toBe(clusterIP);
    await request(`POST ${services}`, service("b", { type: "ExternalName", externalName: "example.com" }));
    expect(
      specIn(await request(`PUT ${services}/b`, service("b", { type: "ClusterIP" })))["clusterIP"],
    ).toMatch(address);
  });
});

describe("a node port", () => {
  const portsIn = (seen: ResponseSummary) =>
    (specIn(seen)["ports"] as { nodePort?: number }[]).map(({ nodePort }) => nodePort);

  test.for(["NodePort", "LoadBalancer"])("is given to each port of type %s, and kept", async (type) => {
    const { request } = await startTestApiServer();
    const ports = [
      { name: "x", port: 80 },
      { name: "y", port: 81 },
    ];
    const created = portsIn(await request(`POST ${services}`, service("a", { type, ports })));
    expect(new Set(created).size).toBe(2);
    for (const port of created) {
      expect(port).toBeGreaterThanOrEqual(30_000);
      expect(port).toBeLessThanOrEqual(32_767);
    }
    expect(portsIn(await request(`PUT ${services}/a`, service("a", { type, ports })))).toEqual(created);
  });

  test.for([
    { name: "taken", nodePort: 30_080, why: "provided port is already allocated" },
    { name: "out of range", nodePort: 80, why: "provided port is not in the valid range" },
  ])("that is $name is refused", async ({ nodePort, why }) => {
    const { request } = await startTestApiServer();
    await request(
      `POST ${services}`,
      service("a", { type: "NodePort", ports: [{ port: 80, nodePort: 30_080 }] }),
    );
    const answer = await request(
      `POST ${services}`,
      service("b", { type: "NodePort", ports: [{ port: 80, nodePort }] }),
    );
    expect(answer.code).toBe(422);
    expect(answer.body["message"]).toContain(why);
  });

  test("is of no use to a Service within the cluster", async () => {
    const { request } = await startTestApiServer();
    expect(portsIn(await request(`POST ${services}`, service("a")))).toEqual([undefined]);
  });
});
