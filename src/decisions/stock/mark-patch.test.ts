import { describe, expect, test } from "vitest";
import { deletionCostAnnotation } from "../../api/deletion-cost.ts";
import { pod } from "../../testing/pod.ts";
import { decisionAnnotation, markOf, originalCostAnnotation } from "./mark.ts";
import { markPatch, unmarkPatch } from "./mark-patch.ts";

const by = { decision: "7f3a9c20e1", generation: 12, cost: -1 };
const marked = (traits: { readonly deletionCost?: string; readonly original?: string }) =>
  pod("web", {
    deletionCost: traits.deletionCost ?? "-1",
    annotations: {
      [originalCostAnnotation]: traits.original ?? "",
      [decisionAnnotation]: "7f3a9c20e1.12.-1",
    },
  });
const cost = "/metadata/annotations/controller.kubernetes.io~1pod-deletion-cost";
const own = [
  { op: "test", path: "/metadata/annotations/trimtab.dev~1original-deletion-cost", value: "" },
  { op: "remove", path: "/metadata/annotations/trimtab.dev~1original-deletion-cost" },
  { op: "test", path: "/metadata/annotations/trimtab.dev~1decision", value: "7f3a9c20e1.12.-1" },
  { op: "remove", path: "/metadata/annotations/trimtab.dev~1decision" },
];
const uid = { op: "test", path: "/metadata/uid", value: "uid-of-web" };

const lastAssigned = "karpenter.sh/last-assigned-deletion-cost";

describe("what a program wrote down of its own cost", () => {
  const own = pod("web", { deletionCost: "-900", annotations: { [lastAssigned]: "-900" } });

  test("follows the mark, so that the program keeps its Pod, and comes back with the cost", () => {
    const patch = markPatch(own, by) as { metadata: { annotations: Record<string, string> } };
    expect(patch.metadata.annotations).toMatchObject({
      [deletionCostAnnotation]: "-1",
      [lastAssigned]: "-1",
    });
    const annotations = { ...own.metadata.annotations, ...patch.metadata.annotations };
    const path = "/metadata/annotations/karpenter.sh~1last-assigned-deletion-cost";
    expect(unmarkPatch(pod("web", { annotations }))).toEqual(
      expect.arrayContaining([
        { op: "replace", path: cost, value: "-900" },
        { op: "test", path, value: "-1" },
        { op: "replace", path, value: "-900" },
      ]),
    );
  });

  test("stays where a person has changed the cost: the program is to see that", () => {
    const changed = pod("web", { deletionCost: "5", annotations: { [lastAssigned]: "-900" } });
    expect(JSON.stringify(markPatch(changed, by))).not.toContain(lastAssigned);
  });
});

describe("a mark", () => {
  test("has the cost before, the decision and the cost now, for this very Pod", () => {
    expect(markPatch(pod("web", { deletionCost: "-05" }), by)).toEqual({
      metadata: {
        uid: "uid-of-web",
        annotations: {
          [deletionCostAnnotation]: "-1",
          [originalCostAnnotation]: "-05",
          [decisionAnnotation]: "7f3a9c20e1.12.-1",
        },
      },
    });
  });

  test("is not written twice, and a later one keeps what was there before the first", () => {
    expect(markPatch(marked({}), by)).toBeUndefined();
    expect(markPatch(marked({ original: "3" }), { ...by, generation: 13 })).toMatchObject({
      metadata: { annotations: { [originalCostAnnotation]: "3" } },
    });
  });

  test("keeps the cost that a person has set since the last one", () => {
    expect(markPatch(marked({ deletionCost: "40" }), { ...by, generation: 13 })).toMatchObject({
      metadata: { annotations: { [originalCostAnnotation]: "40" } },
    });
  });

  test.each(["", "x.1.-1", "7f3a.one.-1", "7f3a.1.", "7f3a.1.-1.4"])("is not what %j says", (decision) => {
    const annotations = { [originalCostAnnotation]: "", [decisionAnnotation]: decision };
    expect(markOf(pod("web", { annotations }))).toBeUndefined();
  });
});

describe("undoing a mark", () => {
  test("removes a cost where there was none", () => {
    expect(unmarkPatch(marked({}))).toEqual([
      uid,
      { op: "test", path: cost, value: "-1" },
      { op: "remove", path: cost },
      ...own,
    ]);
  });

  test("restores the text that was there", () => {
    expect(unmarkPatch(marked({ original: "007" }))?.slice(1, 3)).toEqual([
      { op: "test", path: cost, value: "-1" },
      { op: "replace", path: cost, value: "007" },
    ]);
  });

  test("leaves a cost that a person has changed since, and takes only our annotations away", () => {
    expect(unmarkPatch(marked({ deletionCost: "5" }))).toEqual([uid, ...own]);
  });

  test("takes stray annotations away, and does nothing to other Pods", () => {
    expect(unmarkPatch(pod("web", { annotations: { [originalCostAnnotation]: "" } }))).toEqual([
      uid,
      ...own.slice(0, 2),
    ]);
    expect(unmarkPatch(pod("web", { deletionCost: 3 }))).toBeUndefined();
  });
});
