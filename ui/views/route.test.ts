import { expect, test } from "vitest";
import { clusterHref, nodeHref, parseRoute, podHref, workloadHref } from "./route.ts";

const plain = { filter: { text: "", workload: "", state: "" }, groupBy: "workload", density: "" };

test.for([
  { hash: "", want: { view: "cluster", address: plain } },
  { hash: "#/nonsense/x", want: { view: "cluster", address: plain } },
  {
    hash: "#/cluster?of=Deployment%2Fdefault%2Fweb&search=zone%3Da&state=ready&colour=namespace&show=cells",
    want: {
      view: "cluster",
      address: {
        filter: { text: "zone=a", workload: "Deployment/default/web", state: "ready" },
        groupBy: "namespace",
        density: "cells",
      },
    },
  },
  { hash: "#/cluster?state=x&colour=y&show=z", want: { view: "cluster", address: plain } },
  { hash: "#/workloads", want: { view: "workloads" } },
  { hash: "#/decisions", want: { view: "decisions", filter: { kind: "removal", of: "", search: "" } } },
  {
    hash: "#/decisions?kind=all&of=default%2Fweb&search=best+of",
    want: { view: "decisions", filter: { kind: "", of: "default/web", search: "best of" } },
  },
  {
    hash: "#/decisions?kind=unheard",
    want: { view: "decisions", filter: { kind: "removal", of: "", search: "" } },
  },
  { hash: "#/pods/default/a%2Fb", want: { view: "pod", namespace: "default", name: "a/b" } },
  { hash: "#/nodes/100%", want: { view: "node", name: "100%" } },
])("the address $hash", ({ hash, want }) => {
  expect(parseRoute(hash)).toEqual(want);
});

const hostile = '<img src=x onerror="1">/../%2e';

test("addresses hold any filter", () => {
  const address = {
    filter: { text: hostile, workload: `Deployment/default/${hostile}`, state: "failed" },
    groupBy: "state",
    density: "nodes",
  } as const;
  expect(parseRoute(clusterHref(address))).toEqual({ view: "cluster", address });
});

test("addresses hold any name", () => {
  const workload = { kind: "Deployment", namespace: hostile, name: hostile };
  expect(parseRoute(workloadHref(workload))).toEqual({ view: "workload", workload });
  expect(parseRoute(nodeHref(hostile))).toEqual({ view: "node", name: hostile });
  const pod = { metadata: { namespace: "default", name: hostile } };
  expect(parseRoute(podHref(pod))).toEqual({ view: "pod", ...pod.metadata });
});
