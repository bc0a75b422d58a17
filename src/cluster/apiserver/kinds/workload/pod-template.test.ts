import { expect, test } from "vitest";
import type { JsonObject } from "../../../../api/json.ts";
import { kindStrategyOf } from "../kinds.ts";
import { contextWithout } from "./workload-fixture.cases.ts";

const template = { spec: { terminationGracePeriodSeconds: -1 } };

test.for([
  { group: "", kind: "ReplicationController" },
  { group: "apps", kind: "Deployment" },
  { group: "apps", kind: "ReplicaSet" },
  { group: "apps", kind: "DaemonSet" },
  { group: "apps", kind: "StatefulSet" },
  { group: "batch", kind: "Job" },
  { group: "batch", kind: "CronJob", at: "spec.jobTemplate.spec.template" },
  { group: "", kind: "PodTemplate", at: "template" },
])("a template is warned about when a $kind is created or its spec changed", ({ group, kind, at }) => {
  const { warnings } = kindStrategyOf({ group, kind });
  const warned = (generation: number, stored?: JsonObject) => {
    const object = {
      metadata: { name: "web", generation },
      template,
      spec: { template, jobTemplate: { spec: { template } } },
    };
    const texts = warnings?.(object, contextWithout(), stored) ?? [];
    return texts.filter((text) => text.includes("terminationGracePeriodSeconds"));
  };
  const stored = { metadata: { name: "web", generation: 1 } };
  const path = `${at ?? "spec.template"}.spec.terminationGracePeriodSeconds`;
  expect(warned(1)).toEqual([expect.stringMatching(`^${path}: must be >= 0`)]);
  expect(warned(2, stored)).toHaveLength(1);
  expect(warned(1, stored)).toEqual([]);
});
