import { expect, test } from "vitest";
import type { ReplicationController } from "../../../../api/generated/core-v1.ts";
import type { Sent } from "../../../../api/sent.ts";
import { problemsOf, template } from "../workload/workload-fixture.cases.ts";
import { replicationControllerStrategy } from "./strategy.ts";

test("a ReplicationController that does not say what it selects, selects what it makes", () => {
  const filled = replicationControllerStrategy.defaults?.({ metadata: { name: "web" }, spec: { template } });
  expect(filled).toMatchObject({
    metadata: { name: "web", labels: { app: "web" } },
    spec: { replicas: 1, selector: { app: "web" } },
  });
});

test("a ReplicationController keeps the labels and selector it has", () => {
  const sent = { metadata: { labels: { a: "b" } }, spec: { selector: { app: "web" }, template } };
  expect(replicationControllerStrategy.defaults?.(sent)).toMatchObject({
    metadata: { labels: { a: "b" } },
    spec: { selector: { app: "web" } },
  });
});

test.for<{ name: string; sent: Sent<ReplicationController>; want: string[] }>([
  { name: "is fine as it is", sent: { spec: { template } }, want: [] },
  {
    name: "needs a template and a selector",
    sent: { spec: {} },
    want: ["spec.selector: Required value", "spec.template: Required value"],
  },
  {
    name: "selects its own Pods",
    sent: { spec: { selector: { app: "other" }, template } },
    want: [
      'spec.template.metadata.labels: Invalid value: {"app":"web"}: `selector` does not match template `labels`',
    ],
  },
  {
    name: "runs Pods that go on",
    sent: { spec: { template: { ...template, spec: { ...template.spec, restartPolicy: "Never" } } } },
    want: ['spec.template.spec.restartPolicy: Unsupported value: "Never": supported values: "Always"'],
  },
])("a ReplicationController $name", ({ sent, want }) => {
  expect(problemsOf(replicationControllerStrategy, sent)).toEqual(want);
});
