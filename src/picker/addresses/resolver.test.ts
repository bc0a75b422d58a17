import { describe, expect, test } from "vitest";
import type { Service } from "../../api/generated/core-v1.ts";
import { endpointSlices, services } from "../../api/resources.ts";
import { testApi } from "../../testing/test-api.ts";
import { apiFailure } from "../../machinery/client/api-error.ts";
import { parseAllowList } from "./address-policy.ts";
import type { PickerSettings } from "../picker-settings.ts";
import { networkResolver, type ResolverOptions } from "./resolver.ts";
import { endpointAnnotation } from "../../api/well-known.ts";

const list = parseAllowList(["10.0.0.0/8", "192.0.2.0/24"]);
const allowed = list.ok ? list.allowed : { hosts: new Set<string>(), networks: [] };

interface ResolveCase {
  readonly host: string;
  readonly port?: number | string;
  readonly service?: Partial<Service["spec"]>;
  readonly annotation?: string;
  readonly options?: Partial<ResolverOptions>;
  readonly refused?: number;
  readonly attempt?: number;
}

async function resolve(input: ResolveCase) {
  const { host, port = 8080, service, annotation, options, refused, attempt = 0 } = input;
  const { client, seed, failNext } = testApi();
  const annotations = annotation === undefined ? {} : { [endpointAnnotation]: annotation };
  if (service !== undefined) {
    seed(services, {
      metadata: { namespace: "shop", name: "picker", annotations },
      spec: service,
    });
  }
  seed(endpointSlices, {
    metadata: { namespace: "shop", name: "picker-1", labels: { "kubernetes.io/service-name": "picker" } },
    addressType: "IPv4",
    endpoints: [
      { addresses: ["10.2.0.1"], conditions: { ready: false } },
      { addresses: ["10.2.0.2"], conditions: { ready: true } },
    ],
    ports: [{ name: "pick", port: 9090 }],
  });
  if (refused !== undefined) failNext(apiFailure(refused, "Refused"));
  const resolver = networkResolver({
    client,
    lookup: (name) => Promise.resolve(name.endsWith("example.com") ? ["192.0.2.9"] : []),
    policy: { loopback: true, allowed },
    isSimulated: false,
    isApiServer: ({ addresses }) => Promise.resolve(addresses.includes("10.7.7.7")),
    ...options,
  });
  const settings: PickerSettings = {
    protocol: "http",
    host,
    port,
    tls: false,
    path: "/",
    headers: [],
    maxRetries: 0,
    timeoutMs: 1000,
  };
  const { signal } = new AbortController();
  const found = await resolver(settings, { namespace: "shop", attempt, signal });
  if (found.kind === "failed") return `${found.class}${found.isTransient ? ", perhaps" : ""}`;
  const { dial } = found.target;
  return `${dial.address}:${dial.port} for ${found.target.host}:${found.target.port}`;
}

const clusterIp = { clusterIP: "10.1.0.1", ports: [{ name: "pick", port: 80, targetPort: 9090 }] };
const headless = { clusterIP: "None", ports: [{ name: "pick", port: 80 }] };
const external = {
  type: "ExternalName",
  externalName: "real.example.com",
  ports: [{ name: "pick", port: 80 }],
};

describe("in a cluster", () => {
  test.for<ResolveCase & { readonly name: string; readonly want: string }>([
    {
      name: "a Service resolves to its cluster IP",
      host: "picker",
      service: clusterIp,
      want: "10.1.0.1:8080 for picker:8080",
    },
    {
      name: "with its namespace",
      host: "picker.shop",
      service: clusterIp,
      want: "10.1.0.1:8080 for picker.shop:8080",
    },
    {
      name: "with a domain",
      host: "picker.shop.svc.cluster.local",
      service: clusterIp,
      want: "10.1.0.1:8080 for picker.shop.svc.cluster.local:8080",
    },
    {
      name: "a port name is looked up in the Service",
      host: "picker",
      port: "pick",
      service: clusterIp,
      want: "10.1.0.1:80 for picker:80",
    },
    {
      name: "an unknown port name is a permanent failure",
      host: "picker",
      port: "other",
      service: clusterIp,
      want: "PortUnresolved",
    },
    {
      name: "a headless Service resolves to a ready endpoint",
      host: "picker",
      service: headless,
      want: "10.2.0.2:8080 for picker:8080",
    },
    {
      name: "its port name is looked up in the EndpointSlice",
      host: "picker",
      port: "pick",
      service: headless,
      want: "10.2.0.2:9090 for picker:9090",
    },
    {
      name: "its unknown port name is a permanent failure",
      host: "picker",
      port: "other",
      service: headless,
      want: "PortUnresolved",
    },
    {
      name: "an external name is looked up",
      host: "picker",
      service: external,
      want: "192.0.2.9:8080 for picker:8080",
    },
    {
      name: "a Service that does not exist is a permanent failure",
      host: "picker.shop.svc",
      want: "HostUnresolved",
    },
    {
      name: "a domain name is looked up",
      host: "picker.example.com",
      want: "192.0.2.9:8080 for picker.example.com:8080",
    },
    {
      name: "a host of two labels may be a DNS name",
      host: "example.com",
      want: "192.0.2.9:8080 for example.com:8080",
    },
    { name: "a host has no named ports", host: "a.b.example.com", port: "pick", want: "PortUnresolved" },
    {
      name: "a host without addresses is a transient failure",
      host: "nowhere.example.org",
      want: "HostUnresolved, perhaps",
    },
    {
      name: "a Service that is forbidden is looked up in DNS",
      host: "picker.example.com",
      refused: 403,
      want: "192.0.2.9:8080 for picker.example.com:8080",
    },
    {
      name: "a Service that cannot be read is a transient failure",
      host: "picker",
      refused: 500,
      want: "HostUnresolved, perhaps",
    },
    {
      name: "a host that may be a Service is then not looked up",
      host: "example.com",
      refused: 500,
      want: "HostUnresolved, perhaps",
    },
    {
      name: "the next attempt uses the next address",
      host: "picker.example.com",
      attempt: 1,
      options: { lookup: () => Promise.resolve(["192.0.2.1", "192.0.2.2"]) },
      want: "192.0.2.2:8080 for picker.example.com:8080",
    },
    {
      name: "after the last address the first is used",
      host: "picker.example.com",
      attempt: 2,
      options: { lookup: () => Promise.resolve(["192.0.2.1", "192.0.2.2"]) },
      want: "192.0.2.1:8080 for picker.example.com:8080",
    },
    { name: "an address is not looked up", host: "10.3.0.1", want: "10.3.0.1:8080 for 10.3.0.1:8080" },
    {
      name: "the API server is refused by its Service",
      host: "kubernetes.default.svc",
      want: "AddressNotAllowed",
    },
    { name: "the API server is refused by its address", host: "10.7.7.7", want: "AddressNotAllowed" },
    {
      name: "the API server is refused behind another Service",
      host: "picker",
      service: { clusterIP: "10.7.7.7" },
      want: "AddressNotAllowed",
    },
    {
      name: "a name that looks like an address is looked up, as a socket would",
      host: "010.0.0.1",
      options: { lookup: () => Promise.resolve(["8.0.0.1"]) },
      want: "AddressNotAllowed",
    },
    { name: "a forbidden address is refused", host: "169.254.169.254", want: "AddressNotAllowed" },
    {
      name: "a Service with a forbidden address is refused",
      host: "picker",
      service: { clusterIP: "169.254.169.254" },
      want: "AddressNotAllowed",
    },
  ])("$name", async ({ want, ...input }) => {
    expect(await resolve(input)).toBe(want);
  });
});

describe("in the embedded cluster the annotation is the endpoint:", () => {
  const options = { isSimulated: true };
  const here = "127.0.0.1:7000";
  test.for<ResolveCase & { readonly name: string; readonly want: string }>([
    {
      name: "it is used",
      host: "picker",
      service: clusterIp,
      annotation: here,
      want: `${here} for picker:8080`,
    },
    {
      name: "with IPv6",
      host: "picker",
      service: clusterIp,
      annotation: "[::1]:7000",
      want: "::1:7000 for picker:8080",
    },
    {
      name: "port names are looked up in the Service",
      host: "picker",
      port: "pick",
      service: clusterIp,
      annotation: here,
      want: `${here} for picker:80`,
    },
    {
      name: "an unknown port name is refused",
      host: "picker",
      port: "other",
      service: clusterIp,
      annotation: here,
      want: "PortUnresolved",
    },
    {
      name: "a Service without it is not resolved",
      host: "picker",
      service: clusterIp,
      want: "HostUnresolved",
    },
    {
      name: "nor one with an invalid value",
      host: "picker",
      service: clusterIp,
      annotation: "localhost",
      want: "HostUnresolved",
    },
    {
      name: "nor one with an invalid port",
      host: "picker",
      service: clusterIp,
      annotation: "127.0.0.1:70000",
      want: "HostUnresolved",
    },
    { name: "nor a headless Service without it", host: "picker", service: headless, want: "HostUnresolved" },
    { name: "nor an external name without it", host: "picker", service: external, want: "HostUnresolved" },
    {
      name: "its address is checked against the policy",
      host: "picker",
      service: clusterIp,
      annotation: "169.254.169.254:80",
      want: "AddressNotAllowed",
    },
  ])("$name", async ({ want, ...input }) => {
    expect(await resolve({ ...input, options })).toBe(want);
  });
});
