import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { deletionCostAnnotation } from "../../api/deletion-cost.ts";
import { defaultFeatureGates } from "../../api/feature-gates.ts";
import type { Pod } from "../../api/generated/core-v1.ts";
import { pod } from "../../testing/pod.ts";
import { now } from "../downscale/any-pods.cases.ts";
import { chooseAsKubernetes } from "../downscale/choose-as-kubernetes.ts";
import { chooseVictims } from "../downscale/choose-victims.ts";
import { countPerNode } from "../downscale/co-location.ts";
import type { Facts } from "../downscale/facts.ts";
import { splitByProtection } from "../downscale/protection.ts";
import { decisionAnnotation, formatMarkedBy, originalCostAnnotation, withOriginalCost } from "./mark.ts";
import { markPatch } from "./mark-patch.ts";
import { planMarks } from "./plan-marks.ts";

const [lowest, highest] = [-(2 ** 31), 2 ** 31 - 1];

function decide(
  pods: readonly Pod[],
  count: number,
  facts: Partial<Facts> & { readonly named?: ReadonlySet<string> } = {},
) {
  const originals = pods.map(withOriginalCost);
  const related = countPerNode(originals);
  const stockFacts = { now, gates: defaultFeatureGates, related };
  const { free, protected: isProtected } = splitByProtection(originals, { now, named: facts.named });
  const chosen = chooseVictims(free, count, { ...stockFacts, ...facts });
  const choice = { ...chosen, protected: isProtected };
  return { choice, stockFacts, plan: planMarks({ pods, choice, stockFacts }) };
}

/** The Pods after the plan was applied. */
function applied(pods: readonly Pod[], { plan }: ReturnType<typeof decide>): readonly Pod[] {
  const marked = new Set(plan.marks);
  const cleared = new Set(plan.leftovers);
  return pods.map((each) => {
    if (cleared.has(each)) return withOriginalCost(each);
    if (!marked.has(each)) return each;
    const patch = markPatch(each, { decision: "abcd", generation: 2, cost: plan.cost });
    const { annotations } = (patch as { metadata: { annotations: Record<string, string> } }).metadata;
    const metadata = { ...each.metadata, annotations: { ...each.metadata.annotations, ...annotations } };
    return { ...each, metadata };
  });
}

const names = (pods: readonly Pod[]) => pods.map(({ metadata }) => metadata.name).toSorted();
const namesOf = (decided: readonly { readonly pod: Pod }[]) => names(decided.map((each) => each.pod));
const picking = (...chosen: readonly string[]) => ({
  picks: { chosen: new Set(chosen), tied: new Set<string>() },
});

describe("marks", () => {
  const four = ["a", "b", "c", "d"].map((name) => pod(name));

  test("the fewer of victims and survivors are marked", () => {
    const few = decide(four, 1, picking("c")).plan;
    expect([few.marked, few.cost, names(few.marks)]).toEqual(["victims", -1, ["c"]]);
    const many = decide(four, 3, picking("a", "b", "d")).plan;
    expect([many.marked, many.cost, names(many.marks)]).toEqual(["survivors", 1, ["c"]]);
  });

  test.each([
    ["the lowest", lowest, 1, "survivors", lowest + 1, ["a", "b", "d"]],
    ["the highest", highest, 3, "victims", highest - 1, ["a", "b", "d"]],
  ] as const)("at %s cost they are marked the other way", (_, deletionCost, count, marked, cost, marks) => {
    const pods = ["a", "b", "c", "d"].map((name) => pod(name, { deletionCost }));
    const { plan } = decide(pods, count, count === 1 ? picking("c") : picking("a", "b", "d"));
    expect([plan.marked, plan.cost, names(plan.marks)]).toEqual([marked, cost, marks]);
  });

  test("a dear victim goes before cheap Pods that are protected", () => {
    const pods = [
      pod("cheap", { deletionCost: 1 }),
      pod("dear", { deletionCost: 9 }),
      pod("dearer", { deletionCost: 12 }),
    ];
    const { plan } = decide(pods, 1, { named: new Set(["cheap"]) });
    expect([plan.marked, plan.cost, names(plan.marks)]).toEqual(["victims", 0, ["dear"]]);
    const both = decide(pods, 2, { named: new Set(["cheap"]) }).plan;
    expect([both.marked, both.cost, names(both.marks)]).toEqual(["survivors", 13, ["cheap"]]);
  });

  test("a cut between Pods of different costs needs none", () => {
    const pods = [pod("a", { deletionCost: 5 }), pod("b"), pod("c", { deletionCost: 5 })];
    expect(decide(pods, 1).plan).toMatchObject({ marked: "none", marks: [] });
  });

  test("a Pod that the stock order removes for certain needs none", () => {
    const pods = [pod("a", { restarts: 4 }), pod("b", { node: "node-2" }), pod("c", { node: "node-3" })];
    const { choice, stockFacts, plan } = decide(pods, 1);
    expect(plan).toMatchObject({ marked: "none", marks: [] });
    // In a rollout other Pods come to the nodes and go before it acts.
    const shared = planMarks({ pods, choice, stockFacts, isShared: true });
    expect([shared.marked, names(shared.marks)]).toEqual(["victims", ["a"]]);
  });

  test("a Pod that the stock order may spare in a moment, when ages share a bucket, is marked", () => {
    const young = pod("young", { createdAt: "2026-03-01T11:59:57Z", readyAt: "2026-03-01T11:59:57Z" });
    const old = pod("old", { createdAt: "2026-03-01T11:59:55Z", readyAt: "2026-03-01T11:59:55Z" });
    expect(decide([young, old], 1).plan).toMatchObject({ marked: "victims", marks: [young] });
  });

  test("marks of an earlier decision are not taken for costs, and are cleared", () => {
    const annotations = { [originalCostAnnotation]: "", [decisionAnnotation]: "abcd.2.-1" };
    const before = pod("a", { annotations, deletionCost: -1 });
    const pods = [before, pod("b"), pod("c")];
    const { choice, plan } = decide(pods, 1, picking("b"));
    expect(namesOf(choice.victims)).toEqual(["b"]);
    expect(plan.leftovers).toEqual([before]);
  });

  test("a cost that a person has changed since counts", () => {
    const annotations = { [originalCostAnnotation]: "", [decisionAnnotation]: "abcd.2.-1" };
    const dear = pod("a", { annotations, deletionCost: 7 });
    expect(withOriginalCost(dear).metadata.annotations).toEqual({ [deletionCostAnnotation]: "7" });
  });
});

describe("costs that programs wrote", () => {
  const sentinel = "karpenter.sh/managed-deletion-cost";
  const machineCosts = [sentinel];
  const managed = (name: string, deletionCost: number) =>
    pod(name, { deletionCost, annotations: { [sentinel]: "true" } });

  test.for([
    {
      name: "victims below cheap survivors",
      costs: [-1000, -999, -998, 0],
      picked: "p3",
      marked: ["p3"],
      cost: -1001,
    },
    {
      name: "cheap survivors above victims",
      costs: [-5, -9, -9, -9],
      picked: "p0",
      marked: ["p0"],
      cost: -10,
    },
    { name: "none, where the cheapest goes", costs: [-9, -5, -5, 0], picked: "p0", marked: [], cost: 0 },
  ])("mark $name", ({ costs, picked, marked, cost }) => {
    const pods = costs.map((each, index) => managed(`p${index}`, each));
    const { choice, plan } = decide(pods, 1, { ...picking(picked), machineCosts });
    expect(namesOf(choice.victims)).toEqual([picked]);
    expect([names(plan.marks), plan.cost]).toEqual([marked, cost]);
  });

  test("at the lowest cost of all, survivors are raised", () => {
    const pods = [managed("a", lowest), managed("b", 3), pod("c")];
    const { plan } = decide(pods, 1, { ...picking("b"), machineCosts });
    expect([plan.marked, plan.cost, names(plan.marks)]).toEqual(["survivors", 4, ["a", "c"]]);
  });

  test("count below label and picker, and above ages", () => {
    const preferred = pod("preferred", { labels: { "kubernetes.io/prefer-for-scale-down": "" } });
    const young = pod("young", { createdAt: "2026-03-01T11:59:59Z", readyAt: "2026-03-01T11:59:59Z" });
    const pods = [managed("cheap", -7), managed("dear", 7), young, preferred];
    const choose = (count: number) => namesOf(decide(pods, count, { machineCosts }).choice.victims);
    expect([choose(1), choose(2), choose(3)]).toEqual([
      ["preferred"],
      ["cheap", "preferred"],
      ["cheap", "preferred", "young"],
    ]);
    expect(decide(pods, 2, { machineCosts }).choice.victims[1]?.because?.rule).toBe("machine-cost");
  });

  test("never come before what people have set", () => {
    const pods = [managed("a", lowest), pod("b", { deletionCost: -1 }), pod("c")];
    expect(namesOf(decide(pods, 1, { machineCosts }).choice.victims)).toEqual(["b"]);
  });
});

const someCost = fc.constantFrom(undefined, "0", "5", "6", "-1", String(lowest), String(highest), "dear");
const leftover = fc.record({
  original: fc.constantFrom("", "0", "5", String(highest), String(lowest)),
  by: fc.constantFrom(-1, 1),
  isChanged: fc.boolean(),
});

const somePod = fc
  .record({
    node: fc.constantFrom("node-1", "node-2", null),
    phase: fc.constantFrom("Running", "Running", "Running", "Pending"),
    ready: fc.constantFrom(true, true, true, false),
    readyAt: fc.constantFrom("2026-03-01T11:59:59Z", "2026-03-01T11:59:30Z", "2026-02-01T00:00:00Z"),
    createdAt: fc.constantFrom("2026-03-01T11:59:20Z", "2026-01-01T00:00:00Z"),
    restarts: fc.constantFrom(0, 0, 3),
    label: fc.boolean(),
    isManaged: fc.boolean(),
    cost: someCost,
    mark: fc.option(leftover, { nil: undefined }),
  })
  .map(({ label, cost, mark, isManaged, ...traits }) => (name: string, uid: string) => {
    const labels: Record<string, string> = label ? { "kubernetes.io/prefer-for-scale-down": "" } : {};
    const managed = isManaged ? { "karpenter.sh/managed-deletion-cost": "true" } : {};
    // The two ends of the range at once are beyond what one cost can split.
    const own = isManaged && cost === String(highest) ? "6" : cost;
    return pod(name, { ...traits, uid, labels, annotations: { ...annotationsOf(own, mark), ...managed } });
  });

function annotationsOf(
  cost: string | undefined,
  mark?: { original: string; by: number; isChanged: boolean },
) {
  const own: Record<string, string> = cost === undefined ? {} : { [deletionCostAnnotation]: cost };
  if (mark === undefined) return own;
  const written = Math.min(Math.max(Number(mark.original) + mark.by, lowest), highest);
  return {
    [deletionCostAnnotation]: mark.isChanged ? "9" : String(written),
    [originalCostAnnotation]: mark.original,
    [decisionAnnotation]: formatMarkedBy({ decision: "0123", generation: 7, cost: written }),
  };
}

test("the stock controller removes exactly the Pods that were chosen, whatever its ties, now or a little later", () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(somePod, fc.uuid()), { maxLength: 12 }),
      fc.record({
        count: fc.nat(12),
        later: fc.constantFrom(0, 700, 3000, 31_000),
        picks: fc.option(fc.uniqueArray(fc.constantFrom("p0", "p2", "p4", "p6", "p8")), { nil: undefined }),
        named: fc.uniqueArray(fc.constantFrom("p0", "p1", "p3", "p5", "p7", "p9")),
      }),
      (drawn, { count: asked, later, picks, named }) => {
        const pods = drawn.map(([make, uid], index) => make(`p${index}`, uid));
        const picked = picks === undefined ? {} : picking(...picks);
        const decided = decide(pods, asked, { ...picked, named: new Set(named) });
        // No cost lies between Pods that have the highest and others that have the lowest.
        fc.pre(decided.plan.marked !== "survivors" || decided.plan.cost < highest);
        const count = decided.choice.victims.length;
        const after = applied(pods, decided);
        const facts = { ...decided.stockFacts, now: now + later };
        const stock = chooseAsKubernetes(after, count, facts);
        expect(names(stock.either)).toEqual([]);
        expect(namesOf(stock.victims)).toEqual(namesOf(decided.choice.victims));
        // What is marked can be told from what a person has set.
        expect(after.map(withOriginalCost)).toEqual(pods.map(withOriginalCost));
      },
    ),
    { numRuns: 150 },
  );
});
