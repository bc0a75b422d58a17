import { describe, expect, test } from "vitest";
import { schemaTable } from "../../../api/schema/table.ts";
import { discoveryFormatOf } from "./discovery-format.ts";
import { createDiscovery } from "./discovery.ts";

const served = schemaTable().kinds;
const discovery = createDiscovery({ resources: () => served, serverAddress: "127.0.0.1:6443" });

function read(path: string, form: Parameters<typeof discovery.document>[1] = "legacy"): unknown {
  const document = discovery.document(path, form);
  return document === undefined ? undefined : JSON.parse(document.body);
}

const entry = (name: string) => expect.objectContaining({ name }) as unknown;

describe("legacy discovery", () => {
  test("names the core versions and the address", () => {
    expect(read("/api")).toEqual({
      kind: "APIVersions",
      versions: ["v1"],
      serverAddressByClientCIDRs: [{ clientCIDR: "0.0.0.0/0", serverAddress: "127.0.0.1:6443" }],
    });
  });

  test("lists the groups in Kubernetes' order, without those it refuses", () => {
    const { groups } = read("/apis") as { readonly groups: readonly { readonly name: string }[] };
    expect(groups.map(({ name }) => name)).toEqual([
      "apiregistration.k8s.io",
      "apps",
      "events.k8s.io",
      "authentication.k8s.io",
      "authorization.k8s.io",
      "autoscaling",
      "batch",
      "certificates.k8s.io",
      "networking.k8s.io",
      "policy",
      "rbac.authorization.k8s.io",
      "storage.k8s.io",
      "admissionregistration.k8s.io",
      "apiextensions.k8s.io",
      "scheduling.k8s.io",
      "coordination.k8s.io",
      "node.k8s.io",
      "discovery.k8s.io",
      "metrics.k8s.io",
    ]);
  });

  test("prefers the newer autoscaling version", () => {
    expect(read("/apis/autoscaling")).toEqual({
      kind: "APIGroup",
      apiVersion: "v1",
      name: "autoscaling",
      versions: [
        { groupVersion: "autoscaling/v2", version: "v2" },
        { groupVersion: "autoscaling/v1", version: "v1" },
      ],
      preferredVersion: { groupVersion: "autoscaling/v2", version: "v2" },
    });
  });

  test("lists a resource with its subresources, naming a kind's group only where it is another", () => {
    expect(read("/apis/apps/v1")).toMatchObject({
      kind: "APIResourceList",
      apiVersion: "v1",
      groupVersion: "apps/v1",
      resources: expect.arrayContaining([
        {
          name: "deployments",
          singularName: "deployment",
          namespaced: true,
          kind: "Deployment",
          verbs: ["create", "delete", "deletecollection", "get", "list", "patch", "update", "watch"],
          shortNames: ["deploy"],
          categories: ["all"],
        },
        {
          name: "deployments/scale",
          singularName: "",
          namespaced: true,
          group: "autoscaling",
          version: "v1",
          kind: "Scale",
          verbs: ["get", "patch", "update"],
        },
        {
          name: "deployments/status",
          singularName: "",
          namespaced: true,
          kind: "Deployment",
          verbs: ["get", "patch", "update"],
        },
      ]) as unknown,
    });
  });

  test("lists evictions, which kubectl drain looks for", () => {
    const list = read("/api/v1") as { readonly resources: readonly object[] };
    expect(list).not.toHaveProperty("apiVersion");
    expect(list.resources).toContainEqual(
      expect.objectContaining({ name: "pods/eviction", group: "policy", version: "v1", kind: "Eviction" }),
    );
    expect(list.resources).toContainEqual(entry("nodes"));
  });

  test.for(["/apis/nope", "/apis/apps/v2", "/api/v2", "/apis/apps/v1/deployments", "/", "/apis/"])(
    "has nothing at %s",
    (path) => {
      expect(read(path)).toBeUndefined();
    },
  );
});

describe("aggregated discovery", () => {
  test.for(["v2", "v2beta1"] as const)("tells all about the core group as %s", (version) => {
    expect(read("/api", version)).toMatchObject({
      kind: "APIGroupDiscoveryList",
      apiVersion: `apidiscovery.k8s.io/${version}`,
      items: [
        {
          metadata: { name: "" },
          versions: [
            {
              version: "v1",
              freshness: "Current",
              resources: expect.arrayContaining([
                {
                  resource: "replicationcontrollers",
                  responseKind: { group: "", version: "", kind: "ReplicationController" },
                  scope: "Namespaced",
                  singularResource: "replicationcontroller",
                  verbs: ["create", "delete", "deletecollection", "get", "list", "patch", "update", "watch"],
                  shortNames: ["rc"],
                  categories: ["all"],
                  subresources: [
                    {
                      subresource: "scale",
                      responseKind: { group: "autoscaling", version: "v1", kind: "Scale" },
                      verbs: ["get", "patch", "update"],
                    },
                    {
                      subresource: "status",
                      responseKind: { group: "", version: "", kind: "ReplicationController" },
                      verbs: ["get", "patch", "update"],
                    },
                  ],
                },
              ]) as unknown,
            },
          ],
        },
      ],
    });
  });

  test("names every group and version once, preferred versions first", () => {
    interface List {
      readonly items: readonly {
        readonly metadata: { readonly name: string };
        readonly versions: readonly { readonly version: string }[];
      }[];
    }
    const { items } = read("/apis", "v2") as List;
    const autoscaling = items.find(({ metadata }) => metadata.name === "autoscaling");
    expect(autoscaling?.versions.map(({ version }) => version)).toEqual(["v2", "v1"]);
    expect(new Set(items.map(({ metadata }) => metadata.name)).size).toBe(items.length);
    expect(items[0]?.metadata.name).toBe("apiregistration.k8s.io");
  });

  test("exists for the two roots only", () => {
    expect(discovery.document("/api/v1", "v2")?.contentType).toBe("application/json");
  });
});

describe("discovery documents", () => {
  test("have an ETag of their content", () => {
    const again = createDiscovery({ resources: () => served, serverAddress: "127.0.0.1:6443" });
    const rest = served.slice(1);
    const fewer = createDiscovery({ resources: () => rest, serverAddress: "127.0.0.1:6443" });
    const etag = discovery.document("/api/v1", "legacy")?.etag;
    expect(etag).toMatch(/^"[0-9A-F]{64}"$/);
    expect(again.document("/api/v1", "legacy")?.etag).toBe(etag);
    expect(fewer.document("/api/v1", "legacy")?.etag).not.toBe(etag);
  });

  test.for([
    { accept: undefined, want: "legacy" },
    { accept: "application/json, */*", want: "legacy" },
    { accept: "application/vnd.kubernetes.protobuf,application/json", want: "legacy" },
    {
      accept:
        "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList," +
        "application/json;g=apidiscovery.k8s.io;v=v2beta1;as=APIGroupDiscoveryList,application/json",
      want: "v2",
    },
    {
      accept: "application/json; as=APIGroupDiscoveryList; v=v2beta1; g=apidiscovery.k8s.io,application/json",
      want: "v2beta1",
    },
    {
      accept: "application/json;as=APIGroupDiscoveryList;v=v3;g=apidiscovery.k8s.io,application/json",
      want: "legacy",
    },
  ])("come as $want for Accept: $accept", ({ accept, want }) => {
    expect(discoveryFormatOf(accept)).toBe(want);
  });
});
