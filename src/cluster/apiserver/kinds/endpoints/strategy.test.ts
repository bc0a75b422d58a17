import { expect, test } from "vitest";
import type { EndpointSubset } from "../../../../api/generated/core-v1.ts";
import type { Sent } from "../../../../api/sent.ts";
import { contextWithout, problemsOf } from "../workload/workload-fixture.cases.ts";
import { endpointsStrategy } from "./strategy.ts";

const addresses = [{ ip: "10.0.0.1" }];

test("a port of endpoints is TCP by default", () => {
  expect(
    endpointsStrategy.defaults?.({ subsets: [{ addresses, ports: [{ port: 80 }] }] }).subsets?.[0]?.ports,
  ).toEqual([{ port: 80, protocol: "TCP" }]);
});

const cases: readonly { name: string; subset: Sent<EndpointSubset>; want: readonly string[] }[] = [
  { name: "are fine", subset: { addresses, ports: [{ port: 80 }] }, want: [] },
  {
    name: "lead somewhere",
    subset: {},
    want: ["subsets[0]: Required value: must specify `addresses` or `notReadyAddresses`"],
  },
  {
    name: "lead to an address",
    subset: { addresses: [{ ip: "x" }] },
    want: [
      'subsets[0].addresses[0].ip: Invalid value: "x": must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)',
    ],
  },
  {
    name: "do not lead to the node's own metadata",
    subset: { notReadyAddresses: [{ ip: "169.254.169.254" }] },
    want: [
      'subsets[0].notReadyAddresses[0].ip: Invalid value: "169.254.169.254": may not be in the link-local range (169.254.0.0/16, fe80::/10)',
    ],
  },
  {
    name: "name several ports",
    subset: { addresses, ports: [{ port: 80 }, { port: 81, name: "b" }] },
    want: ["subsets[0].ports[0].name: Required value"],
  },
];

test.for(cases)("endpoints $name", ({ subset, want }) => {
  expect(problemsOf(endpointsStrategy, { subsets: [subset] })).toEqual(want);
});

test("endpoints that were stored wrong may stay", () => {
  const stored = { subsets: [{}] };
  expect(
    endpointsStrategy.validate?.({ metadata: { name: "x" }, ...stored }, contextWithout(), stored),
  ).toEqual([]);
});
