import { describe, expect, test } from "vitest";
import { noObjects } from "../../decisions/explain/cluster-objects.ts";
import { deployment } from "../../testing/deployment.ts";
import { node } from "../../testing/node.ts";
import { objectNames, readObject, unknownNode, unknownObject } from "./object-argument.ts";

describe("The object of an explanation", () => {
  test.each([
    { words: ["deploy/web"], kind: "Deployment" },
    { words: ["deployment", "web"], kind: "Deployment" },
    { words: ["deployments.apps/web"], kind: "Deployment" },
    { words: ["Deployment/web"], kind: "Deployment" },
    { words: ["rs/web"], kind: "ReplicaSet" },
    { words: ["rc", "web"], kind: "ReplicationController" },
    { words: ["web"], kind: "Deployment" },
  ])("is read from $words", ({ words, kind }) => {
    expect(readObject(words, "scale-down")).toEqual({ ok: true, kind, name: "web" });
  });

  test.each([
    {
      words: ["ds/agent"],
      topic: "scale-down",
      says: "scale-down is not explained for a DaemonSet; it explains Deployment, ReplicaSet, ReplicationController, StatefulSet",
    },
    {
      words: ["po/web-1"],
      topic: "rollout",
      says: "rollout is not explained for a Pod; it explains Deployment, StatefulSet, DaemonSet",
    },
    {
      words: ["dploy/web"],
      topic: "rollout",
      says: 'rollout does not know the kind "dploy"; did you mean deploy/web?',
    },
  ] as const)("of another kind, $words, is refused", ({ words, topic, says }) => {
    expect(readObject(words, topic)).toMatchObject({ ok: false, problem: says });
  });

  test("is a Pod for a placement unless another kind is given", () => {
    expect(readObject(["web-1"], "placement")).toMatchObject({ kind: "Pod" });
  });

  const deployments = [
    deployment("web"),
    deployment("web-canary"),
    deployment("api"),
    deployment("far", { namespace: "other" }),
  ];
  test.each([
    { name: "wbe", says: "; did you mean web?" },
    { name: "web-canry", says: "; did you mean web-canary?" },
    { name: "far", says: ", but in other: -n other" },
    { name: "something", says: "; it has api, web, web-canary" },
  ])("$name, which is not there, gets a hint", ({ name, says }) => {
    const reference = { kind: "Deployment", namespace: "default", name } as const;
    expect(unknownObject({ ...noObjects, deployments }, reference)).toBe(
      `there is no Deployment ${name} in namespace default${says}`,
    );
  });

  test.each([
    { there: ["node-1", "worker"], name: "nod-1", says: "; did you mean node-1?" },
    { there: ["b", "a"], name: "somewhere", says: "; there are a, b" },
    { there: [], name: "node-1", says: "" },
  ])("the node $name, which is not among $there, gets a hint", ({ there, name, says }) => {
    const nodes = there.map((each) => node(each));
    expect(unknownNode({ ...noObjects, nodes }, name)).toBe(`there is no node ${name}${says}`);
  });

  test("is completed from those there are, with the short name of a kind as well", () => {
    expect(objectNames({ ...noObjects, deployments }, "rollout", "deploy/")).toEqual(
      expect.arrayContaining(["deploy/web", "deploy/web-canary", "deploy/api"]),
    );
    expect(objectNames({ ...noObjects, deployments }, "rollout")).toContain("deployment/web-canary");
    expect(objectNames({ ...noObjects, deployments }, "rollout", "deploy/w")).toContain("deploy/web-canary");
  });
});
