import { describe, expect, test } from "vitest";
import type { HorizontalPodAutoscalerSpec } from "../../generated/autoscaling-v2.ts";
import type { Sent } from "../sent.ts";
import { problemsOf } from "../workload/workload-fixture.cases.ts";
import { horizontalPodAutoscalerStrategy } from "./strategy.ts";

const scaleTargetRef = { kind: "Deployment", name: "web", apiVersion: "apps/v1" };

describe("the defaults of an autoscaler", () => {
  test("are one Pod and 80 % of the processor", () => {
    expect(
      horizontalPodAutoscalerStrategy.defaults?.({ apiVersion: "autoscaling/v2", spec: {} }).spec,
    ).toEqual({
      minReplicas: 1,
      metrics: [
        {
          type: "Resource",
          resource: { name: "cpu", target: { type: "Utilization", averageUtilization: 80 } },
        },
      ],
    });
  });

  test("are without metrics where the API has none", () => {
    expect(
      horizontalPodAutoscalerStrategy.defaults?.({ apiVersion: "autoscaling/v1", spec: {} }).spec,
    ).toEqual({
      minReplicas: 1,
    });
  });
});

test.for<{ name: string; spec: Sent<HorizontalPodAutoscalerSpec>; want: string[] }>([
  { name: "is fine", spec: { scaleTargetRef, maxReplicas: 5 }, want: [] },
  {
    name: "has a most",
    spec: { scaleTargetRef },
    want: [
      "spec.maxReplicas: Required value: must be set and greater than 0",
      "spec.maxReplicas: Invalid value: 0: must be greater than or equal to `minReplicas`",
    ],
  },
  {
    name: "has no most below its least",
    spec: { scaleTargetRef, minReplicas: 5, maxReplicas: 2 },
    want: ["spec.maxReplicas: Invalid value: 2: must be greater than or equal to `minReplicas`"],
  },
  {
    name: "scales something",
    spec: { maxReplicas: 1 },
    want: ["spec.scaleTargetRef.kind: Required value", "spec.scaleTargetRef.name: Required value"],
  },
])("an autoscaler $name", ({ spec, want }) => {
  expect(problemsOf(horizontalPodAutoscalerStrategy, { spec })).toEqual(want);
});
