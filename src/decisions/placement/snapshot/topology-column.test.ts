import { expect, test } from "vitest";
import { everything } from "../../../api/labels/label-selector.ts";
import { PodCounter } from "./pod-counter.ts";
import { TopologyColumn } from "./topology-column.ts";

test("a domain that is back after others came has its Pods under one number", () => {
  const column = new TopologyColumn("zone", 8);
  const counter = new PodCounter(everything, 8);
  for (const slot of [0, 1]) counter.add(slot, 1 + slot);
  const totals = counter.totalsBy(column);
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
