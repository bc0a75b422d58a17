import { expect, test } from "vitest";
import { contextWithout, problemsOf } from "../workload/workload-fixture.cases.ts";
import { podTemplateStrategy } from "./strategy.ts";

test("a PodTemplate gets the defaults of a Pod spec", () => {
  const template = { spec: { containers: [{ name: "app", image: "app:1" }] } };
  expect(podTemplateStrategy.defaults?.({ metadata: {}, template })).toMatchObject({
    template: {
      spec: {
        containers: [{ imagePullPolicy: "IfNotPresent" }],
        dnsPolicy: "ClusterFirst",
        restartPolicy: "Always",
        terminationGracePeriodSeconds: 30,
      },
    },
  });
});

test("a PodTemplate needs containers", () => {
  expect(problemsOf(podTemplateStrategy, { template: {} })).toContain(
    "template.spec.containers: Required value",
  );
});

test("a PodTemplate is warned about when it is new or changed", () => {
  const of = (generation: number) => ({
    metadata: { generation },
    template: { spec: { terminationGracePeriodSeconds: -1 } },
  });
  const warnings = (next: number, stored?: number) =>
    podTemplateStrategy.warnings?.(of(next), contextWithout(), stored === undefined ? stored : of(stored));
  const warning = expect.stringMatching(/^template\.spec\.terminationGracePeriodSeconds: must be >= 0/);
  expect(warnings(1)).toEqual([warning]);
  expect(warnings(2, 1)).toEqual([warning]);
  expect(warnings(1, 1)).toEqual([]);
});
