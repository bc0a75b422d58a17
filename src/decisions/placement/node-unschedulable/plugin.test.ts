import { expect, test } from "vitest";
import { node } from "../../../testing/node.ts";
import { type Waiting, verdictsOf } from "../plugin-fixture.cases.ts";
import { nodeUnschedulable } from "./plugin.ts";

const refused = "UAU: node(s) were unschedulable";

test.for<{ name: string; waiting: Waiting; want: string }>([
  { name: "refuses a cordoned node", waiting: {}, want: refused },
  {
    name: "lets Pods pass that tolerate being cordoned",
    waiting: { spec: { tolerations: [{ key: "node.kubernetes.io/unschedulable", operator: "Exists" }] } },
    want: "fits",
  },
  {
    name: "wants the toleration to cover NoSchedule",
    waiting: { spec: { tolerations: [{ operator: "Exists", effect: "NoExecute" }] } },
    want: refused,
  },
])("NodeUnschedulable $name", ({ waiting, want }) => {
  const nodes = [node("open"), node("cordoned", { unschedulable: true })];
  expect(verdictsOf(nodeUnschedulable, waiting, { nodes })).toEqual({ open: "fits", cordoned: want });
});
