import { expect, test } from "vitest";
import type { LimitRangeItem } from "../../../../api/generated/core-v1.ts";
import type { Sent } from "../../../../api/sent.ts";
import { problemsOf } from "../workload/workload-fixture.cases.ts";
import { limitRangeStrategy } from "./strategy.ts";

test.for<{ name: string; limits: Sent<LimitRangeItem>[]; want: string[] }>([
  {
    name: "has room",
    limits: [{ type: "Container", min: { cpu: "100m" }, default: { cpu: 1 }, max: { cpu: "2" } }],
    want: [],
  },
  {
    name: "has none",
    limits: [{ type: "Container", min: { cpu: "2" }, max: { cpu: "1" } }],
    want: [
      'spec.limits[0].min[cpu]: Invalid value: "2": min value 2 is greater than max value 1',
      'spec.limits[0].defaultRequest[cpu]: Invalid value: "1": min value 2 is greater than default request value 1',
      'spec.limits[0].default[cpu]: Invalid value: "1": min value 2 is greater than default value 1',
    ],
  },
  {
    name: "has a default outside of it",
    limits: [{ type: "Container", defaultRequest: { cpu: "2" }, default: { cpu: "1" } }],
    want: [
      'spec.limits[0].defaultRequest[cpu]: Invalid value: "2": default request value 2 is greater than default limit value 1',
    ],
  },
  {
    name: "is for something unknown",
    limits: [{ type: "Bogus" }],
    want: ['spec.limits[0].type: Invalid value: "Bogus": must be a standard limit type or fully qualified'],
  },
  {
    name: "comes twice, with defaults for Pods",
    limits: [{ type: "Pod", default: { cpu: 1 } }, { type: "Pod" }],
    want: [
      "spec.limits[0].default: Forbidden: may not be specified when `type` is 'Pod'",
      'spec.limits[1].type: Duplicate value: "Pod"',
    ],
  },
])("a limit that $name", ({ limits, want }) => {
  expect(problemsOf(limitRangeStrategy, { spec: { limits } })).toEqual(want);
});
