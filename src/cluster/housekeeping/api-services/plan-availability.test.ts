import { expect, test } from "vitest";
import type { Service } from "../../../api/generated/core-v1.ts";
import type { EndpointSlice } from "../../../api/generated/discovery-v1.ts";
import { allChecksPassed, type ReferredService, unreachable, withAvailability } from "./plan-availability.ts";

const metadata = { name: "extension", namespace: "default", uid: "u", resourceVersion: "1" };
const ports = [{ name: "https", port: 443 }];
const service = { metadata, spec: { ports } } as unknown as Service;
const slice = { metadata, addressType: "IPv4", ports, endpoints: [{ addresses: ["10.1.2.3"] }] };
const slices = [slice as unknown as EndpointSlice];
const referred: ReferredService = { namespace: "default", name: "extension", port: 443, service, slices };

test.for<{ name: string; change: object; want: string | undefined }>([
  { name: "a Service with endpoints can be asked", change: {}, want: undefined },
  {
    name: "no Service cannot",
    change: { service: undefined },
    want: 'ServiceNotFound: service/extension in "default" is not present',
  },
  {
    name: "one without that port cannot",
    change: { port: 8443 },
    want: 'ServicePortError: service/extension in "default" is not listening on port 8443',
  },
  {
    name: "one without EndpointSlices cannot",
    change: { slices: [] },
    want: 'EndpointsNotFound: cannot find endpointslices for service/extension in "default"',
  },
  {
    name: "one whose endpoints have another port cannot",
    change: { slices: [{ ...slice, ports: [{ name: "http", port: 80 }] }] },
    want: 'MissingEndpoints: endpointslices for service/extension in "default" have no addresses with port name "https"',
  },
  {
    name: "one whose endpoints are not ready cannot",
    change: {
      slices: [{ ...slice, endpoints: [{ addresses: ["10.1.2.3"], conditions: { ready: false } }] }],
    },
    want: 'MissingEndpoints: endpointslices for service/extension in "default" have no addresses with port name "https"',
  },
  {
    name: "an external name needs no endpoints",
    change: { service: { metadata, spec: { type: "ExternalName" } }, slices: [] },
    want: undefined,
  },
  {
    name: "neither does an annotation that says where the server is",
    change: {
      service: {
        metadata: { ...metadata, annotations: { "sim.trimtab.dev/endpoint": "127.0.0.1:8443" } },
        spec: { ports },
      },
      slices: [],
    },
    want: undefined,
  },
])("$name", ({ change, want }) => {
  const problem = unreachable({ ...referred, ...change });
  expect(problem && `${problem.reason}: ${problem.message}`).toBe(want);
});

test("the time of a condition moves with its status only, and nothing is written without a change", () => {
  const first = withAvailability([], allChecksPassed, 0);
  expect(first).toEqual([
    { type: "Available", ...allChecksPassed, lastTransitionTime: "1970-01-01T00:00:00Z" },
  ]);
  expect(withAvailability(first, allChecksPassed, 1000)).toBe(first);
  const failed = { status: "False", reason: "FailedDiscoveryCheck", message: "a" } as const;
  const second = withAvailability(first, failed, 2000);
  const third = withAvailability(second, { ...failed, message: "b" }, 3000);
  expect(third).toEqual([
    { type: "Available", ...failed, message: "b", lastTransitionTime: "1970-01-01T00:00:02Z" },
  ]);
});
