import { expect, test } from "vitest";
import { podInfo } from "../objects/pod-info.ts";
import { fits, type Verdict } from "../plugin.ts";
import { filterCases } from "./filter.cases.ts";
import { podTopologySpread } from "./plugin.ts";
import { answerFor, clusterOf, hard, podOfCase, soft, type SpreadCase } from "./spread-cluster.cases.ts";

/** The verdict on every node, with its detail as a sentence. */
function verdicts(given: SpreadCase): readonly (Verdict & { readonly node: string })[] {
  return answerFor(given, (cluster) => {
    const filter = podTopologySpread(given.args).preFilter?.(podInfo(podOfCase(given)), cluster)?.filter;
    const byName = cluster.nodes.toSorted((one, other) => one.name.localeCompare(other.name));
    return byName.map((node) => {
      const verdict = filter?.(node) ?? fits;
      if (verdict.kind !== "rejects" || typeof verdict.detail !== "object")
        return { node: node.name, ...verdict };
      const { subject, text } = verdict.detail;
      return { node: node.name, ...verdict, detail: text(subject(node)) };
    });
  });
}

test.for(filterCases)("spread filter $name", ({ fit, missing = [], ...given }) => {
  const outcomes = verdicts(given).map((verdict) => {
    if (verdict.kind !== "rejects") return [verdict.node, verdict.kind];
    return [verdict.node, verdict.code === "Unschedulable" ? "uneven" : "missing"];
  });
  const want = (node: string) =>
    fit.includes(node) ? "fits" : missing.includes(node) ? "missing" : "uneven";
  expect(outcomes).toEqual(outcomes.map(([node = ""]) => [node, want(node)]));
});

test("a refusal says in Kubernetes' words that, and in ours by how much, the spread would be too uneven", () => {
  expect(verdicts({ name: "", foo: "2/1/0/3", constraints: [hard("node")] })[0]).toEqual({
    node: "a",
    kind: "rejects",
    code: "Unschedulable",
    reasons: ["node(s) didn't match pod topology spread constraints"],
    detail: "skew of node=a would be 3, at most 1: 2 there, 0 in the emptiest",
  });
});

test("a node without the label is refused for good", () => {
  expect(verdicts({ name: "", constraints: [hard("rack")] })[0]).toEqual({
    node: "a",
    kind: "rejects",
    code: "UnschedulableAndUnresolvable",
    reasons: ["node(s) didn't match pod topology spread constraints (missing required label)"],
    detail: "no label rack",
  });
});

const unreadable = { matchExpressions: [{ key: "foo", operator: "Near" }] };

test("a hard constraint that cannot be read fails the filter", () => {
  const given = { name: "", constraints: [hard("zone", { labelSelector: unreadable })] };
  expect(podTopologySpread().preFilter?.(podInfo(podOfCase(given)), clusterOf(given))?.refusal).toEqual({
    kind: "fails",
    message:
      "obtaining pod's hard topology spread constraints: " +
      'labelSelector.matchExpressions[0].operator: Invalid value: "Near": not a valid selector operator',
  });
});

test("a soft constraint that cannot be read fails the scoring alone", () => {
  const given = { name: "", constraints: [hard("zone"), soft("node", { labelSelector: unreadable })] };
  const cluster = clusterOf(given);
  const { preFilter, preScore } = podTopologySpread();
  expect(preFilter?.(podInfo(podOfCase(given)), cluster)?.refusal).toBeUndefined();
  expect(preScore?.(podInfo(podOfCase(given)), cluster, cluster.nodes)).toMatchObject({
    kind: "fails",
    message: expect.stringContaining("obtaining pod's soft topology spread constraints: ") as string,
  });
});
