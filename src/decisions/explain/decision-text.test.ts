import { expect, test } from "vitest";
import { pod } from "../../testing/pod.ts";
import type { Choice } from "../downscale/choose-victims.ts";
import { removalText, removedPodText } from "./decision-text.ts";

const podsNamed = (count: number, prefix: string) =>
  Array.from({ length: count }, (_, index) => ({ pod: pod(`${prefix}-${index + 1}`) }));

test.each<{ name: string; choice: Choice; ofOne: string; ofAll: string }>([
  {
    name: "the only Pod",
    choice: { victims: podsNamed(1, "web"), survivors: [] },
    ofOne: "removes the only Pod, web-1",
    ofAll: "removes the only Pod: web-1",
  },
  {
    name: "all Pods, of which the first are named",
    choice: { victims: podsNamed(7, "web"), survivors: [] },
    ofOne: "removes all 7 Pods, web-1 among them",
    ofAll: "removes all 7 Pods: web-1, web-2, web-3, web-4, web-5, and 2 more",
  },
  {
    name: "one that the order leaves open",
    choice: {
      victims: podsNamed(1, "web").map((each) => ({ ...each, isOpen: true })),
      survivors: podsNamed(2, "other"),
    },
    ofOne:
      "removes 1 of 3 Pods, web-1 because of either: the order does not decide between this Pod and others",
    ofAll:
      "removes 1 of 3 Pods: web-1 because of either: the order does not decide between this Pod and others",
  },
])("a removal is said: $name", ({ choice, ofOne, ofAll }) => {
  const [first] = choice.victims;
  expect(first && removedPodText(choice, first)).toBe(ofOne);
  expect(removalText(choice)).toBe(ofAll);
});
