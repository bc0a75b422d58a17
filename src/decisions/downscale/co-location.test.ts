import { expect, test } from "vitest";
import { pod } from "../../testing/pod.ts";
import { countPerNode } from "./co-location.ts";

test("countPerNode counts the active Pods on a Pod's node, itself included", () => {
  const here = pod("a", { node: "node-1" });
  const count = countPerNode([here, pod("b", { node: "node-1" }), pod("c", { node: "node-2" })]);
  expect(count(here)).toBe(2);
  expect(count(pod("d", { node: "node-3" }))).toBe(0);
});

test("countPerNode counts Pods that are not ready, but none that ended or were told to", () => {
  const count = countPerNode([
    pod("unready", { ready: false }),
    pod("pending", { phase: "Pending" }),
    pod("done", { phase: "Succeeded" }),
    pod("failed", { phase: "Failed" }),
    pod("deleted", { deletedAt: "2026-03-01T00:00:00Z" }),
  ]);
  expect(count(pod("any"))).toBe(2);
});

test("countPerNode counts a Pod once that several selectors match", () => {
  expect(countPerNode([pod("a"), pod("a"), pod("b")])(pod("a"))).toBe(2);
});

test("countPerNode lets Pods without a node share one", () => {
  const count = countPerNode([pod("a", { node: null }), pod("b", { node: null }), pod("c", { node: "" })]);
  expect(count(pod("d", { node: null }))).toBe(3);
});
