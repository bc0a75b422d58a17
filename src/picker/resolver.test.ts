import { describe, expect, test } from "vitest";
import type { Service } from "../api/generated/core-v1.ts";
import type { StoredObject } from "../api/object.ts";
import type { Resource } from "../api/resource.ts";
import { endpointSlices, services } from "../api/resources.ts";
import type { ListQuery } from "../machinery/client/client.ts";
import { ScriptedApi } from "../testing/scripted-api.ts";
import { apiFailure } from "../machinery/client/api-error.ts";
import { parseAllowList } from "./address-policy.ts";
import type { PickerSettings } from "./picker-settings.ts";
import { networkResolver, type ResolverOptions } from "./resolver.ts";
import { endpointAnnotation } from "./service-endpoints.ts";

const list = parseAllowList(["10.0.0.0/8", "192.0.2.0/24"]);
const allowed = list.ok ? list.allowed : { hosts: new Set<string>(), networks: [] };

interface Scene {
  readonly host: string;
  readonly port?: number | string;
  readonly service?: Partial<Service["spec"]>;
  readonly annotation?: string;
  readonly options?: Partial<ResolverOptions>;
  readonly refused?: number;
  readonly attempt?: number;
}

/** Lists by the one selector that is asked for here. */
class ApiWithSlices extends ScriptedApi {
  override list<T extends StoredObject>(resource: Resource<T>, { labelSelector, ...query }: ListQuery) {
    expect(labelSelector).toBe("kubernetes.io/service-name=picker");
    return super.list(resource, query);
  }
}

async function resolve(scene: Scene) {
  const { host, port = 8080, service, annotation, options, refused, attempt = 0 } = scene;
  const client = new ApiWithSlices();
  const annotations = annotation === undefined ? {} : { [endpointAnnotation]: annotation };
  if (service !== undefined) {
    await client.create(services, {
      metadata: { namespace: "shop", name: "picker", annotations },
      spec: service,
    });
  }
  await client.create(endpointSlices, {
    metadata: { namespace: "shop", name: "picker-1" },
    addressType: "IPv4",
    endpoints: [
      { addresses: ["10.2.0.1"], conditions: { ready: false } },
      { addresses: ["10.2.0.2"], conditions: { ready: true } },
    ],
    ports: [{ name: "pick", port: 9090 }],
  });
  if (refused !== undefined) client.failures.push(apiFailure(refused, "Refused"));
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
  test.for<Scene & { readonly name: string; readonly want: string }>([
    {
      name: "a Service is its address",
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
      name: "a port may be a Service's",
      host: "picker",
      port: "pick",
      service: clusterIp,
      want: "10.1.0.1:80 for picker:80",
    },
    {
      name: "a port that it has not is final",
      host: "picker",
      port: "other",
      service: clusterIp,
      want: "PortUnresolved",
    },
    {
      name: "a headless Service is a ready endpoint",
      host: "picker",
      service: headless,
      want: "10.2.0.2:8080 for picker:8080",
    },
    {
      name: "its port is the endpoint's",
      host: "picker",
      port: "pick",
      service: headless,
      want: "10.2.0.2:9090 for picker:9090",
    },
    {
      name: "its unknown port is final",
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
    { name: "a Service that is not there is final", host: "picker.shop.svc", want: "HostUnresolved" },
    {
      name: "a host may look like a Service",
      host: "picker.example.com",
      want: "192.0.2.9:8080 for picker.example.com:8080",
    },
    {
      name: "a host of two parts may be one",
      host: "example.com",
      want: "192.0.2.9:8080 for example.com:8080",
    },
    { name: "a host has no named ports", host: "a.b.example.com", port: "pick", want: "PortUnresolved" },
    {
      name: "a host without addresses may get some",
      host: "nowhere.example.org",
      want: "HostUnresolved, perhaps",
    },
    {
      name: "a Service that may not be read is looked up",
      host: "picker.example.com",
      refused: 403,
      want: "192.0.2.9:8080 for picker.example.com:8080",
    },
    {
      name: "a Service that cannot be read may be later",
      host: "picker",
      refused: 500,
      want: "HostUnresolved, perhaps",
    },
    {
      name: "nor is a host looked up that may turn out to be one",
      host: "example.com",
      refused: 500,
      want: "HostUnresolved, perhaps",
    },
    {
      name: "the next attempt goes to the next address",
      host: "picker.example.com",
      attempt: 1,
      options: { lookup: () => Promise.resolve(["192.0.2.1", "192.0.2.2"]) },
      want: "192.0.2.2:8080 for picker.example.com:8080",
    },
    {
      name: "and after the last to the first",
      host: "picker.example.com",
      attempt: 2,
      options: { lookup: () => Promise.resolve(["192.0.2.1", "192.0.2.2"]) },
      want: "192.0.2.1:8080 for picker.example.com:8080",
    },
    { name: "an address is itself", host: "10.3.0.1", want: "10.3.0.1:8080 for 10.3.0.1:8080" },
    { name: "the API server itself is refused", host: "kubernetes.default.svc", want: "AddressNotAllowed" },
    { name: "nor by its address", host: "10.7.7.7", want: "AddressNotAllowed" },
    {
      name: "nor behind a Service of another name",
      host: "picker",
      service: { clusterIP: "10.7.7.7" },
      want: "AddressNotAllowed",
    },
    {
      name: "what only looks like an address is looked up, as a socket would",
      host: "010.0.0.1",
      options: { lookup: () => Promise.resolve(["8.0.0.1"]) },
      want: "AddressNotAllowed",
    },
    { name: "a bad address is refused", host: "169.254.169.254", want: "AddressNotAllowed" },
    {
      name: "a Service with a bad address is refused",
      host: "picker",
      service: { clusterIP: "169.254.169.254" },
      want: "AddressNotAllowed",
    },
  ])("$name", async ({ want, ...scene }) => {
    expect(await resolve(scene)).toBe(want);
  });
});

describe("in the embedded cluster only the annotation counts:", () => {
  const options = { isSimulated: true };
  const here = "127.0.0.1:7000";
  test.for<Scene & { readonly name: string; readonly want: string }>([
    {
      name: "it is dialled",
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
      name: "named ports are still the Service's",
      host: "picker",
      port: "pick",
      service: clusterIp,
      annotation: here,
      want: `${here} for picker:80`,
    },
    {
      name: "a port it has not is final",
      host: "picker",
      port: "other",
      service: clusterIp,
      annotation: here,
      want: "PortUnresolved",
    },
    { name: "without it nobody is there", host: "picker", service: clusterIp, want: "HostUnresolved" },
    {
      name: "nor with something else in it",
      host: "picker",
      service: clusterIp,
      annotation: "localhost",
      want: "HostUnresolved",
    },
    {
      name: "nor with a port beyond all",
      host: "picker",
      service: clusterIp,
      annotation: "127.0.0.1:70000",
      want: "HostUnresolved",
    },
    { name: "a headless Service is no exception", host: "picker", service: headless, want: "HostUnresolved" },
    { name: "nor is an external name", host: "picker", service: external, want: "HostUnresolved" },
    {
      name: "it is checked like any other",
      host: "picker",
      service: clusterIp,
      annotation: "169.254.169.254:80",
      want: "AddressNotAllowed",
    },
  ])("$name", async ({ want, ...scene }) => {
    expect(await resolve({ ...scene, options })).toBe(want);
  });
});
