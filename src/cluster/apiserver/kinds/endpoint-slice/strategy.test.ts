import { expect, test } from "vitest";
import type { EndpointSlice } from "../../../../api/generated/discovery-v1.ts";
import type { Sent } from "../../../../api/sent.ts";
import { contextWithout, problemsOf, problemsOfUpdate } from "../workload/workload-fixture.cases.ts";
import { endpointSliceStrategy } from "./strategy.ts";

test("a port of a slice has a name and a protocol", () => {
  expect(endpointSliceStrategy.defaults?.({ ports: [{ port: 80 }] }).ports).toEqual([
    { port: 80, name: "", protocol: "TCP" },
  ]);
});

test.for<{ name: string; sent: Sent<EndpointSlice>; want: string[] }>([
  { name: "is fine", sent: { addressType: "IPv4", endpoints: [{ addresses: ["10.0.0.1"] }] }, want: [] },
  { name: "says what its addresses are", sent: {}, want: ["addressType: Required value"] },
  {
    name: "has addresses of its type",
    sent: { addressType: "IPv4", endpoints: [{ addresses: ["fd00::1"] }] },
    want: ['endpoints[0].addresses[0]: Invalid value: "fd00::1": must be an IPv4 address'],
  },
  {
    name: "has an address for each endpoint",
    sent: { addressType: "IPv4", endpoints: [{}] },
    want: ["endpoints[0].addresses: Required value: must contain at least 1 address"],
  },
  {
    name: "has a name once",
    sent: { addressType: "IPv4", ports: [{ port: 80 }, { port: 81 }] },
    want: ['ports[1].name: Duplicate value: ""'],
  },
  {
    name: "is not endless",
    sent: { addressType: "IPv4", endpoints: Array.from({ length: 1001 }, () => ({})) },
    want: ["endpoints: Too many: 1001: must have at most 1000 items"],
  },
])("a slice $name", ({ sent, want }) => {
  expect(problemsOf(endpointSliceStrategy, sent)).toEqual(want);
});

test("a slice keeps the type of its addresses", () => {
  expect(problemsOfUpdate(endpointSliceStrategy, { addressType: "IPv6" }, { addressType: "IPv4" })).toEqual([
    'addressType: Invalid value: "IPv6": field is immutable',
  ]);
});

test("the generation of a slice grows with what it says, not with its metadata", () => {
  const previous = {
    metadata: { generation: 1 },
    addressType: "IPv4",
    endpoints: [{ addresses: ["10.0.0.1"] }],
  };
  const labelled = { ...previous, metadata: { generation: 1, labels: { a: "b" } } };
  const changed = { ...previous, endpoints: [] };
  const update = (next: Sent<EndpointSlice>) =>
    endpointSliceStrategy.prepareForUpdate?.({ next, previous }, contextWithout()).metadata?.generation;
  expect([update(labelled), update(changed)]).toEqual([1, 2]);
});
