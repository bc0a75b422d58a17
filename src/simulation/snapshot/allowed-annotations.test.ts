import { expect, test } from "vitest";
import { deletionCostAnnotation } from "../../api/deletion-cost.ts";
import { noObjects } from "../../decisions/explain/cluster-objects.ts";
import { decisionAnnotation, originalCostAnnotation, originalCostText } from "../../decisions/stock/mark.ts";
import { wishAnnotations } from "../../decisions/stock/wish.ts";
import { pod } from "../../testing/pod.ts";
import { allowedAnnotations } from "./allowed-annotations.ts";
import { takeSnapshot } from "./snapshot.ts";

test("a snapshot of a steered cluster tells the deletion costs of trimtab steer from those of users", () => {
  const annotations = {
    [deletionCostAnnotation]: "-1",
    [originalCostAnnotation]: "7",
    [decisionAnnotation]: "7f3a9c20e1.12.-1",
  };
  const marked = pod("web-1", { annotations });
  const { objects } = takeSnapshot({ ...noObjects, pods: [marked] }, { now: 0 });
  expect(objects.pods.map(originalCostText)).toEqual([originalCostText(marked)]);
});

test.for(wishAnnotations)("a snapshot has the annotation %s, by which workloads are steered", (name) => {
  expect(allowedAnnotations.has(name)).toBe(true);
});
