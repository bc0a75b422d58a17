import { expect, test } from "vitest";
import { everything } from "../../../api/labels/label-selector.ts";
import { LiveCounter } from "./live-counter.ts";
import { LiveTopology } from "./live-topology.ts";

test("a domain that is back after others came has its Pods under one number", () => {
  const column = new LiveTopology("zone", 8);
  const counter = new LiveCounter(everything, { capacity: 8, topologyOf: () => column });
  for (const slot of [0, 1]) counter.add(slot, 1 + slot);
  const totals = counter.totalsBy(column.key);
  column.put(0, "a");
  column.put(1, "b");
  column.remove(0);
  column.remove(1);
  expect({ domains: column.domains, minimum: totals.minimum }).toEqual({ domains: 0, minimum: 0 });
  column.put(0, "a");
  column.put(1, "b");
  const totalOf = (value: string) => totals.perDomain[column.values.indexOf(value)];
  expect({ a: totalOf("a"), b: totalOf("b"), minimum: totals.minimum }).toEqual({ a: 1, b: 2, minimum: 1 });
});
