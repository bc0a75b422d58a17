import { expect, test } from "vitest";
import { type ContainerCase, problemsOfContainer } from "./pod-spec-fixture.cases.ts";

const at = "spec.containers[0].resources";

const cases: readonly ContainerCase[] = [
  {
    name: "less asked for than allowed",
    container: { resources: { requests: { cpu: "100m" }, limits: { cpu: "1", memory: "1Gi" } } },
    want: [],
  },
  {
    name: "more asked for than allowed",
    container: { resources: { requests: { cpu: "2" }, limits: { cpu: "500m" } } },
    want: [`${at}.requests: Invalid value: "2": must be less than or equal to cpu limit of 500m`],
  },
  {
    name: "less than nothing",
    container: { resources: { requests: { memory: "-1Mi" } } },
    want: [`${at}.requests[memory]: Invalid value: "-1Mi": must be greater than or equal to 0`],
  },
  {
    name: "a resource only quotas know",
    container: { resources: { requests: { pods: "1" } } },
    want: [`${at}.requests[pods]: Invalid value: "pods": must be a standard resource for containers`],
  },
  {
    name: "an unknown resource",
    container: { resources: { limits: { speed: "1" } } },
    want: [
      `${at}.limits[speed]: Invalid value: "speed": must be a standard resource type or fully qualified`,
      `${at}.limits[speed]: Invalid value: "speed": must be a standard resource for containers`,
    ],
  },
  {
    name: "a device",
    container: { resources: { requests: { "example.com/gpu": "1" }, limits: { "example.com/gpu": "1" } } },
    want: [],
  },
  {
    name: "half a device",
    container: {
      resources: { requests: { "example.com/gpu": "500m" }, limits: { "example.com/gpu": "500m" } },
    },
    want: [
      `${at}.limits[example.com/gpu]: Invalid value: "500m": must be an integer`,
      `${at}.requests[example.com/gpu]: Invalid value: "500m": must be an integer`,
    ],
  },
  {
    name: "fewer devices than allowed",
    container: { resources: { requests: { "example.com/gpu": "1" }, limits: { "example.com/gpu": "2" } } },
    want: [`${at}.requests: Invalid value: "1": must be equal to example.com/gpu limit of 2`],
  },
  {
    name: "devices without a limit",
    container: { resources: { requests: { "example.com/gpu": "1" } } },
    want: [`${at}.limits: Required value: Limit must be set for non overcommitable resources`],
  },
  {
    name: "huge pages alone",
    container: { resources: { requests: { "hugepages-2Mi": "2Mi" }, limits: { "hugepages-2Mi": "2Mi" } } },
    want: [`${at}: Forbidden: HugePages require cpu or memory`],
  },
  {
    name: "a claim the Pod does not make",
    container: { resources: { claims: [{ name: "gpu" }] } },
    want: [
      `${at}.claims[0]: Not found: "gpu": must be one of the names in pod.spec.resourceClaims which is empty`,
    ],
  },
];

test.for(cases)("a container with $name gets what Kubernetes says", ({ container, want }) => {
  expect(problemsOfContainer(container)).toEqual(want);
});
