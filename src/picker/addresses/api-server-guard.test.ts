import { describe, expect, test } from "vitest";
import { endpointSlices, services } from "../../api/resources.ts";
import { testApi } from "../../testing/test-api.ts";
import { apiFailure } from "../../machinery/client/api-error.ts";
import { apiServerGuard, type ApiServerGuardOptions } from "./api-server-guard.ts";

/** A guard in a cluster whose API server has a Service with one endpoint. */
async function guard(options: Partial<ApiServerGuardOptions> = {}) {
  const { client, clock, requests, seed, failNext } = testApi();
  const labels = { "kubernetes.io/service-name": "kubernetes" };
  const metadata = { namespace: "default", name: "kubernetes", labels };
  seed(services, { metadata, spec: { clusterIP: "10.96.0.1", clusterIPs: ["10.96.0.1"] } });
  const endpoints = [{ addresses: ["10.0.0.5"] }];
  seed(endpointSlices, { metadata, addressType: "IPv4", endpoints });
  const lookup = (host: string) => Promise.resolve(host === "api.example.com" ? ["203.0.113.5"] : []);
  const isApiServer = apiServerGuard({ client, clock, lookup, isSimulated: false, ...options });
  const { signal } = new AbortController();
  const at = (address: string, port = 443) => isApiServer({ addresses: [address], port }, signal);
  return { at, client, clock, requests, failNext };
}

describe("in a cluster the API server is recognized", () => {
  test.for([
    { name: "by the address of its URL", apiServer: "https://203.0.113.9:6443", address: "203.0.113.9" },
    {
      name: "by the address its host resolves to",
      apiServer: "https://api.example.com",
      address: "203.0.113.5",
    },
    { name: "by an IPv6 form of its address", apiServer: "https://10.1.1.1", address: "::ffff:10.1.1.1" },
    { name: "by an IPv6 address", apiServer: "https://[2001:db8::1]:6443", address: "2001:db8:0::1" },
    { name: "by the cluster IP of its Service", apiServer: undefined, address: "10.96.0.1" },
    { name: "by an endpoint of its Service", apiServer: undefined, address: "10.0.0.5" },
  ])("$name", async ({ apiServer, address }) => {
    const { at } = await guard({ apiServer: () => apiServer });
    // Every port of the control plane is refused.
    expect([await at(address, 6443), await at(address, 10_250)]).toEqual([true, true]);
  });

  test("and nothing else is", async () => {
    const { at } = await guard({ apiServer: () => "https://api.example.com" });
    expect(await at("10.0.0.6")).toBe(false);
  });

  test("if one of several addresses is its own", async () => {
    const { client, clock } = await guard();
    const lookup = () => Promise.resolve([]);
    const isApiServer = apiServerGuard({ client, clock, lookup, isSimulated: false });
    const { signal } = new AbortController();
    expect(await isApiServer({ addresses: ["10.0.0.6", "10.96.0.1"], port: 80 }, signal)).toBe(true);
  });

  test("by addresses that are read once a minute, and again after a failure", async () => {
    const { at, clock, requests, failNext } = await guard();
    const reads = () => requests.filter(({ verb }) => verb === "get").length;
    failNext(apiFailure(500, "InternalError"));
    await at("10.0.0.6");
    expect(await at("10.96.0.1")).toBe(true);
    await at("10.0.0.6");
    expect(reads()).toBe(2);
    await clock.advance(60_000);
    await at("10.0.0.6");
    expect(reads()).toBe(3);
  });
});

test.for([
  { name: "hangs", later: () => new Promise<string[]>(() => undefined) },
  { name: "fails", later: () => Promise.reject(new Error("no resolver")) },
  { name: "finds nothing", later: () => Promise.resolve([]) },
])("known addresses stay in use while the resolver $name, and no call waits", async ({ later }) => {
  const first = [["203.0.113.5"]];
  const lookup = async () => first.shift() ?? later();
  const { at, clock } = await guard({ lookup, apiServer: () => "https://api.example.com" });
  expect(await at("203.0.113.5")).toBe(true);
  await clock.advance(60_000);
  expect(await at("10.0.0.6")).toBe(false);
  await clock.settle();
  expect(await at("203.0.113.5")).toBe(true);
});

test("a new address is known soon after a minute", async () => {
  let address = "203.0.113.5";
  const lookup = () => Promise.resolve([address]);
  const { at, clock } = await guard({ lookup, apiServer: () => "https://api.example.com" });
  await at("10.0.0.6");
  address = "203.0.113.6";
  await clock.advance(60_000);
  await at("10.0.0.6");
  await clock.settle();
  expect([await at("203.0.113.5"), await at("203.0.113.6")]).toEqual([false, true]);
});

describe("on loopback pickers may run beside it:", () => {
  test.for([
    { name: "its own port is refused", address: "127.0.0.1", port: 6443, want: true },
    { name: "in its IPv6 form", address: "::ffff:127.0.0.1", port: 6443, want: true },
    { name: "at any loopback address", address: "::1", port: 6443, want: true },
    { name: "another port is allowed", address: "127.0.0.1", port: 8080, want: false },
    {
      name: "the cluster IP of its simulated Service is allowed",
      address: "10.96.0.1",
      port: 6443,
      want: false,
    },
  ])("$name", async ({ address, port, want }) => {
    const { at, requests } = await guard({ isSimulated: true, apiServer: () => "https://127.0.0.1:6443" });
    expect(await at(address, port)).toBe(want);
    expect(requests.filter(({ verb }) => verb === "get")).toEqual([]);
  });

  test.for(["", undefined, "nonsense"])("without a valid URL (%s) nothing is refused", async (url) => {
    const { at } = await guard({ isSimulated: true, apiServer: () => url });
    expect(await at("127.0.0.1", 6443)).toBe(false);
  });
});
