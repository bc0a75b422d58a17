import { expect, test } from "vitest";
import { problemsOf } from "../workload/workload-fixture.cases.ts";
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
