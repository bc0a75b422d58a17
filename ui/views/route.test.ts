import { expect, test } from "vitest";
import { parseTime } from "../../src/api/time.ts";
import { atMoment, clusterHref, momentIn, nodeHref, parseRoute, podHref, workloadHref } from "./route.ts";

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
  {
    hash: "#/decisions",
    want: { view: "decisions", filter: { kind: "removal", of: "", search: "" }, chosen: "" },
  },
  {
    hash: "#/decisions?kind=all&of=default%2Fweb&search=best+of",
    want: { view: "decisions", filter: { kind: "", of: "default/web", search: "best of" }, chosen: "" },
  },
  {
    hash: "#/decisions?kind=unheard&open=removal%2F1%2F2",
    want: {
      view: "decisions",
      filter: { kind: "removal", of: "", search: "" },
      chosen: "removal/1/2",
    },
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

test.for(["#/cluster", "#/cluster?search=a", "#/pods/default/a%3Fb", "#/decisions?open=removal%2F1%2F2026"])(
  "a moment in the address %s leaves the rest as it is",
  (hash) => {
    const moment = parseTime("2026-01-01T00:00:01.234Z");
    const address = atMoment(hash, moment);
    expect(momentIn(address)).toBe(moment);
    expect(parseRoute(address)).toEqual(parseRoute(hash));
    expect(atMoment(address, undefined)).toBe(hash);
  },
);

test.for(["#/cluster?at=", "#/cluster?at=yesterday", "#/cluster?at=%00"])(
  "the address %s shows the present",
  (hash) => expect(momentIn(hash)).toBeUndefined(),
);
