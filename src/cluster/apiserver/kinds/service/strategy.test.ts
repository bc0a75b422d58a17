import { describe, expect, test } from "vitest";
import type { Service, ServiceSpec } from "../../../../api/generated/core-v1.ts";
import type { Sent } from "../../../../api/sent.ts";
import { contextWithout, problemsOf, problemsOfUpdate } from "../workload/workload-fixture.cases.ts";
import { serviceStrategy } from "./strategy.ts";

const aService = (spec: Sent<ServiceSpec> = {}): Sent<Service> => ({
  metadata: { name: "web" },
  spec: { ports: [{ port: 80 }], ...spec },
});
const defaultsOf = (spec: Sent<ServiceSpec>) => serviceStrategy.defaults?.(aService(spec)).spec;

describe("the defaults of a Service", () => {
  test("are one address inside the cluster", () => {
    expect(defaultsOf({})).toEqual({
      type: "ClusterIP",
      sessionAffinity: "None",
      internalTrafficPolicy: "Cluster",
      ipFamilies: ["IPv4"],
      ipFamilyPolicy: "SingleStack",
      ports: [{ port: 80, protocol: "TCP", targetPort: 80 }],
    });
  });

  test("of one for the outside let traffic in everywhere", () => {
    expect(defaultsOf({ type: "NodePort" })?.externalTrafficPolicy).toBe("Cluster");
    expect(defaultsOf({ externalIPs: ["192.0.2.1"] })?.externalTrafficPolicy).toBe("Cluster");
    expect(defaultsOf({ type: "LoadBalancer" })).toMatchObject({ allocateLoadBalancerNodePorts: true });
  });

  test("of a mere name are none of an address", () => {
    expect(defaultsOf({ type: "ExternalName", externalName: "example.com" })).not.toHaveProperty(
      "ipFamilies",
    );
  });

  test("of one that remembers its clients remember them for three hours", () => {
    expect(defaultsOf({ sessionAffinity: "ClientIP" })?.sessionAffinityConfig).toEqual({
      clientIP: { timeoutSeconds: 10_800 },
    });
  });
});

test.for<{ name: string; spec: Sent<ServiceSpec>; want: string[] }>([
  { name: "is fine as it is", spec: {}, want: [] },
  { name: "needs a port", spec: { ports: [] }, want: ["spec.ports: Required value"] },
  {
    name: "needs no port without an address",
    spec: { ports: [], clusterIP: "None", clusterIPs: ["None"] },
    want: [],
  },
  {
    name: "needs names for several ports",
    spec: { ports: [{ port: 80 }, { port: 81, name: "b" }] },
    want: ["spec.ports[0].name: Required value"],
  },
  {
    name: "needs different names",
    spec: {
      ports: [
        { port: 80, name: "a" },
        { port: 81, name: "a" },
      ],
    },
    want: ['spec.ports[1].name: Duplicate value: "a"'],
  },
  {
    name: "needs different ports",
    spec: {
      ports: [
        { port: 80, name: "a" },
        { port: 80, name: "b" },
      ],
    },
    want: ['spec.ports[1]: Duplicate value: {"protocol":"TCP","port":80}'],
  },
  {
    name: "has ports in range",
    spec: { ports: [{ port: 65536 }] },
    want: [
      "spec.ports[0].port: Invalid value: 65536: must be between 1 and 65535, inclusive",
      "spec.ports[0].targetPort: Invalid value: 65536: must be between 1 and 65535, inclusive",
    ],
  },
  {
    name: "has no node port inside the cluster",
    spec: { ports: [{ port: 80, nodePort: 30080 }] },
    want: ["spec.ports[0].nodePort: Forbidden: may not be used when `type` is 'ClusterIP'"],
  },
  {
    name: "has a known type",
    spec: { type: "Mesh" },
    want: [
      'spec.type: Unsupported value: "Mesh": supported values: "ClusterIP", "ExternalName", "LoadBalancer", "NodePort"',
    ],
  },
  {
    name: "has an address when the outside needs it",
    spec: { type: "NodePort", clusterIP: "None", clusterIPs: ["None"] },
    want: ["spec.clusterIPs[0]: Invalid value: \"None\": may not be set to 'None' for NodePort services"],
  },
  {
    name: "stands for a name",
    spec: { type: "ExternalName" },
    want: ["spec.externalName: Required value"],
  },
  {
    name: "does not stand for the node itself",
    spec: { externalIPs: ["127.0.0.1"] },
    want: [
      'spec.externalIPs[0]: Invalid value: "127.0.0.1": may not be in the loopback range (127.0.0.0/8, ::1/128)',
    ],
  },
  {
    name: "lets in ranges only through a load balancer",
    spec: { loadBalancerSourceRanges: ["10.0.0.0/8"] },
    want: ["spec.LoadBalancerSourceRanges: Forbidden: may only be used when `type` is 'LoadBalancer'"],
  },
  {
    name: "has no policy for an outside it does not have",
    spec: { externalTrafficPolicy: "Local" },
    want: [
      'spec.externalTrafficPolicy: Invalid value: "Local": may only be set for externally-accessible services',
    ],
  },
])("a Service $name", ({ spec, want }) => {
  expect(problemsOf(serviceStrategy, aService(spec))).toEqual(want);
});

describe("an update of a Service", () => {
  const at = (clusterIP: string, spec: Sent<ServiceSpec> = {}) =>
    aService({ clusterIP, clusterIPs: [clusterIP], ...spec });

  test("keeps its address", () => {
    expect(problemsOfUpdate(serviceStrategy, at("10.96.0.2"), at("10.96.0.1"))).toEqual([
      'spec.clusterIPs[0]: Invalid value: ["10.96.0.2"]: may not change once set',
    ]);
    expect(problemsOfUpdate(serviceStrategy, aService(), at("10.96.0.1"))).toEqual([
      "spec.clusterIPs[0]: Invalid value: []: primary clusterIP can not be unset",
    ]);
    expect(problemsOfUpdate(serviceStrategy, at("10.96.0.1"), at("10.96.0.1"))).toEqual([]);
  });

  test("to another type leaves nothing of the old one behind", () => {
    const previous = at("10.96.0.1", {
      type: "NodePort",
      externalTrafficPolicy: "Cluster",
      ports: [{ port: 80, nodePort: 30080 }],
    });
    const next = { ...previous, spec: { ...previous.spec, type: "ClusterIP" } };
    expect(serviceStrategy.prepareForUpdate?.({ next, previous }, contextWithout()).spec).toEqual({
      type: "ClusterIP",
      clusterIP: "10.96.0.1",
      clusterIPs: ["10.96.0.1"],
      ports: [{ port: 80 }],
    });
  });

  test("to a mere name gives the address back", () => {
    const previous = at("10.96.0.1", { type: "ClusterIP" });
    const next = {
      ...previous,
      spec: { ...previous.spec, type: "ExternalName", externalName: "example.com" },
    };
    expect(serviceStrategy.prepareForUpdate?.({ next, previous }, contextWithout()).spec).toEqual({
      type: "ExternalName",
      externalName: "example.com",
      ports: [{ port: 80 }],
    });
  });
});
