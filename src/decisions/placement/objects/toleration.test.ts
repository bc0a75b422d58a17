import { expect, test } from "vitest";
import type { Taint, Toleration } from "../../../api/generated/core-v1.ts";
import { findUntoleratedTaint, isTolerated } from "./toleration.ts";

const taint: Taint = { key: "dedicated", value: "gpu", effect: "NoSchedule" };

test.for<{ name: string; toleration: Toleration; taint?: Taint; want: boolean }>([
  { name: "its key and value", toleration: { key: "dedicated", value: "gpu" }, want: true },
  { name: "another value", toleration: { key: "dedicated", operator: "Equal", value: "x" }, want: false },
  { name: "its key, whatever the value", toleration: { key: "dedicated", operator: "Exists" }, want: true },
  { name: "any key", toleration: { operator: "Exists" }, want: true },
  { name: "another key", toleration: { key: "x", operator: "Exists" }, want: false },
  { name: "its effect", toleration: { operator: "Exists", effect: "NoSchedule" }, want: true },
  { name: "another effect", toleration: { operator: "Exists", effect: "NoExecute" }, want: false },
  {
    name: "an unknown operator",
    toleration: { key: "dedicated", operator: "Gt", value: "1" },
    want: false,
  },
  {
    name: "no value, when it has none",
    toleration: { key: "dedicated" },
    taint: { key: "dedicated", effect: "NoSchedule" },
    want: true,
  },
])("a toleration of $name: $want", ({ toleration, want, ...given }) => {
  expect(isTolerated(given.taint ?? taint, [{ key: "unrelated" }, toleration])).toBe(want);
});

test("only taints that keep Pods away are in the way, and the first is named", () => {
  const soft = { key: "soft", effect: "PreferNoSchedule" };
  const evicting = { key: "evicting", effect: "NoExecute" };
  expect(findUntoleratedTaint([soft, evicting, taint], [])).toBe(evicting);
  expect(findUntoleratedTaint([soft, evicting, taint], [{ key: "evicting", operator: "Exists" }])).toBe(
    taint,
  );
  expect(findUntoleratedTaint([soft], [])).toBeUndefined();
});
