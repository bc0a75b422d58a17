import { describe, expect, test } from "vitest";
import type { Node } from "../../../../api/generated/core-v1.ts";
import type { Sent } from "../../../../api/sent.ts";
import { problemsOf, problemsOfStatus, problemsOfUpdate } from "../workload/workload-fixture.cases.ts";
import { nodeStrategy } from "./strategy.ts";

test("a node can give what it has, unless it says otherwise", () => {
  const capacity = { cpu: "4" };
  expect(nodeStrategy.defaults?.({ status: { capacity } }).status?.allocatable).toEqual(capacity);
  const allocatable = { cpu: "3" };
  expect(nodeStrategy.defaults?.({ status: { capacity, allocatable } }).status?.allocatable).toEqual(
    allocatable,
  );
});

test("podCIDR is the first of podCIDRs", () => {
  expect(nodeStrategy.defaults?.({ spec: { podCIDR: "10.1.0.0/24" } }).spec?.podCIDRs).toEqual([
    "10.1.0.0/24",
  ]);
  expect(nodeStrategy.defaults?.({ spec: { podCIDRs: ["10.1.0.0/24"] } }).spec?.podCIDR).toBe("10.1.0.0/24");
});

const taint = { key: "a", value: "b", effect: "NoSchedule" };
test.for<{ name: string; sent: Sent<Node>; want: string[] }>([
  { name: "is fine with a taint", sent: { spec: { taints: [taint] } }, want: [] },
  {
    name: "needs an effect",
    sent: { spec: { taints: [{ key: "a" }] } },
    want: ["metadata.taints[0].effect: Required value"],
  },
  {
    name: "has a taint once",
    sent: { spec: { taints: [taint, { ...taint, value: "c" }] } },
    want: [
      'metadata.taints[1]: Duplicate value: {"key":"a","value":"c","effect":"NoSchedule"}: taints must be unique by key and effect pair',
    ],
  },
  {
    name: "has no negative capacity",
    sent: { status: { capacity: { cpu: "-1" }, allocatable: {} } },
    want: ['status.capacity.cpu: Invalid value: "-1": must be greater than or equal to 0'],
  },
  {
    name: "has a range of addresses",
    sent: { spec: { podCIDRs: ["x"] } },
    want: [
      'spec.podCIDRs[0]: Invalid value: "x": must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)',
    ],
  },
])("a node $name", ({ sent, want }) => {
  expect(problemsOf(nodeStrategy, sent)).toEqual(want);
});

describe("an update of a node", () => {
  test("keeps its addresses and its home", () => {
    const previous = { spec: { podCIDRs: ["10.1.0.0/24"], providerID: "sim://1" } };
    const next = { spec: { podCIDRs: ["10.2.0.0/24"], providerID: "sim://2" } };
    expect(problemsOfUpdate(nodeStrategy, next, previous)).toEqual([
      'spec.podCIDRs: Forbidden: node updates may not change podCIDR except from "" to valid',
      'spec.providerID: Forbidden: node updates may not change providerID except from "" to valid',
    ]);
    expect(problemsOfUpdate(nodeStrategy, next, {})).toEqual([]);
  });

  test("of its status names no address twice", () => {
    const address = { type: "InternalIP", address: "10.0.0.1" };
    expect(problemsOfStatus(nodeStrategy, { status: { addresses: [address, address] } }, {})).toEqual([
      'status.addresses[1]: Duplicate value: {"type":"InternalIP","address":"10.0.0.1"}',
    ]);
  });
});

test("nodes can be selected by whether Pods may come", () => {
  expect(nodeStrategy.selectableFields?.({ spec: { unschedulable: true } })).toEqual({
    "spec.unschedulable": "true",
  });
  expect(nodeStrategy.selectableFields?.({})).toEqual({ "spec.unschedulable": "false" });
});
