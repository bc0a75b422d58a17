import { expect, test } from "vitest";
import { pod } from "../../testing/pod.ts";
import { now } from "./any-pods.cases.ts";
import { deletionAgeRatios } from "./age-ratio.ts";

const young = pod("young", { createdAt: "2026-03-01T11:50:00Z" });
const old = pod("old", { createdAt: "2026-03-01T11:45:00Z" });

test.for([
  { name: "compares with the youngest", victims: [old, young], pods: [young, old], want: [1.5, 1] },
  {
    name: "leaves out victims that are not ready",
    victims: [pod("a", { ready: false })],
    pods: [old],
    want: [],
  },
  {
    name: "does not take a Pod that is not ready for the youngest",
    victims: [old],
    pods: [old, pod("a", { ready: false, createdAt: "2026-03-01T11:59:00Z" })],
    want: [1],
  },
  {
    name: "is empty while the youngest has no age",
    victims: [old],
    pods: [old, pod("a", { createdAt: "2026-03-01T12:00:00Z" })],
    want: [],
  },
  { name: "skips times that are none", victims: [pod("a", { createdAt: "soon" })], pods: [old], want: [] },
  { name: "is empty without Pods", victims: [], pods: [], want: [] },
])("deletionAgeRatios $name", ({ victims, pods, want }) => {
  expect(deletionAgeRatios(victims, pods, now)).toEqual(want);
});
