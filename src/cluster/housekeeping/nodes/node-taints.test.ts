import { expect, test } from "vitest";
import { parseTime } from "../../../api/time.ts";
import { wantedTaints } from "./node-taints.ts";

const at = "2026-01-01T00:00:00Z";
const now = parseTime(at) ?? 0;
const taint = (name: string, effect = "NoSchedule") => ({ key: `node.kubernetes.io/${name}`, effect });
const added = (name: string, effect?: string) => ({ ...taint(name, effect), timeAdded: at });
const own = { key: "dedicated", value: "gpu", effect: "NoSchedule" };

test.for([
  {
    name: "loses the taints of its bad times when it is ready",
    ready: "True",
    taints: [taint("not-ready"), taint("unreachable", "NoExecute")],
    want: [],
  },
  {
    name: "is not ready",
    ready: "False",
    taints: [],
    want: [added("not-ready"), added("not-ready", "NoExecute")],
  },
  {
    name: "is out of reach",
    ready: "Unknown",
    taints: [taint("not-ready"), taint("not-ready", "NoExecute")],
    want: [added("unreachable"), added("unreachable", "NoExecute")],
  },
  {
    name: "is out of reach as all the others are",
    ready: "Unknown",
    evicts: false,
    taints: [taint("unreachable"), taint("unreachable", "NoExecute")],
    want: [taint("unreachable")],
  },
  {
    name: "has the right taints",
    ready: "Unknown",
    taints: [own, taint("unreachable"), taint("unreachable", "NoExecute")],
    want: undefined,
  },
  { name: "keeps the taints of others", ready: "True", taints: [own], want: undefined },
  { name: "is cordoned", ready: "True", unschedulable: true, taints: [], want: [added("unschedulable")] },
  { name: "is no longer cordoned", ready: "True", taints: [taint("unschedulable")], want: [] },
])("a node that $name", ({ ready, taints, want, evicts = true, unschedulable = false }) => {
  const status = { conditions: [{ type: "Ready", status: ready }] };
  expect(wantedTaints({ spec: { taints, unschedulable }, status }, { evicts, now })).toEqual(want);
});

test("a node that reports nothing is not kept from Pods, and pressure is", () => {
  const options = { evicts: false, now };
  expect(wantedTaints({ spec: { taints: [taint("not-ready")] } }, options)).toEqual([]);
  const status = { conditions: [{ type: "MemoryPressure", status: "True" }] };
  expect(wantedTaints({ spec: {}, status }, options)).toEqual([added("memory-pressure")]);
});
