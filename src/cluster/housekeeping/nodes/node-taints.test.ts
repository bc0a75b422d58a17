import { expect, test } from "vitest";
import { taintsByCondition } from "./node-taints.ts";

const taint = (name: string, effect = "NoSchedule") => ({ key: `node.kubernetes.io/${name}`, effect });
const own = { key: "dedicated", value: "gpu", effect: "NoSchedule" };

test.for([
  {
    name: "loses the taint of its creation when it is ready",
    ready: "True",
    taints: [taint("not-ready")],
    want: [],
  },
  { name: "is not ready", ready: "False", taints: [], want: [taint("not-ready")] },
  { name: "is out of reach", ready: "Unknown", taints: [taint("not-ready")], want: [taint("unreachable")] },
  { name: "keeps the taints of others", ready: "True", taints: [own], want: undefined },
  {
    name: "keeps what evicts its Pods",
    ready: "True",
    taints: [taint("not-ready", "NoExecute")],
    want: undefined,
  },
])("a node that $name", ({ ready, taints, want }) => {
  const status = { conditions: [{ type: "Ready", status: ready }] };
  expect(taintsByCondition({ spec: { taints }, status })).toEqual(want);
});

test("a node that reports nothing is not kept from Pods, and pressure is", () => {
  expect(taintsByCondition({ spec: { taints: [taint("not-ready")] } })).toEqual([]);
  const status = { conditions: [{ type: "MemoryPressure", status: "True" }] };
  expect(taintsByCondition({ spec: {}, status })).toEqual([taint("memory-pressure")]);
});
