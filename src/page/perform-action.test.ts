import { expect, onTestFinished, test } from "vitest";
import { deployments, nodes, podDisruptionBudgets, pods } from "../api/resources.ts";
import type { OpenRequest } from "../machinery/client/http/transport.ts";
import { podTemplate } from "../testing/deployment.ts";
import { testCluster } from "../testing/test-cluster.ts";
import type { PageAction } from "./contract.ts";
import { performAction } from "./perform-action.ts";

const web = { kind: "Deployment", namespace: "default", name: "web" } as const;
const labels = { app: "web" };

/** Two nodes in two zones with four Pods of the Deployment web. */
async function cluster() {
  const made = await testCluster({ nodes: 2, zones: 2 });
  onTestFinished(() => made.stop());
  const { client, clock, server } = made;
  const spec = { replicas: 4, selector: { matchLabels: labels }, template: podTemplate() };
  await client.create(deployments, { metadata: { name: "web", namespace: "default" }, spec });
  await clock.advance(30_000);
  const open = server.open("trimtab-page/test");
  const { signal } = new AbortController();
  return {
    ...made,
    perform: (action: PageAction) => performAction(action, { open, clock, signal }),
    podsOn: async (node: string) =>
      (await client.list(pods, { fieldSelector: `spec.nodeName=${node}` })).items,
    node: (name: string) => client.get(nodes, { name }),
  };
}

test("scaling changes the number of replicas, as kubectl scale does", async () => {
  const { perform, client } = await cluster();
  expect(await perform({ action: "scale", ...web, replicas: 1 })).toEqual({
    kubectl: "kubectl scale deployment/web -n default --replicas=1",
    done: ["deployment.apps/web scaled"],
    refused: [],
  });
  expect((await client.get(deployments, web)).spec.replicas).toBe(1);
});

test("restarting a rollout makes a new revision", async () => {
  const { perform, client, clock } = await cluster();
  await perform({ action: "restart-rollout", ...web });
  const { metadata, spec } = await client.get(deployments, web);
  expect(metadata.generation).toBe(2);
  expect(spec.template.metadata?.annotations).toHaveProperty(["kubectl.kubernetes.io/restartedAt"]);
  await clock.advance(60_000);
  expect((await client.get(deployments, web)).status?.updatedReplicas).toBe(4);
});

test("draining cordons the node and evicts its Pods, but for those that a budget keeps", async () => {
  const { perform, client, clock, node, podsOn } = await cluster();
  await client.create(podDisruptionBudgets, {
    metadata: { name: "web", namespace: "default" },
    spec: { maxUnavailable: 1, selector: { matchLabels: labels } },
  });
  await clock.advance(1000);
  const [first, second] = (await podsOn("node-1")).map(({ metadata }) => metadata.name);
  const answer = await perform({ action: "drain", node: "node-1" });
  expect(answer.done).toEqual(["node/node-1 cordoned", `pod/${first} evicted`]);
  expect(answer.refused).toEqual([
    {
      object: `pod/${second} -n default`,
      message: expect.stringContaining("violate the pod's disruption budget") as string,
    },
  ]);
  expect((await node("node-1")).spec?.unschedulable).toBe(true);
  await clock.advance(60_000);
  expect((await perform({ action: "drain", node: "node-1" })).refused).toEqual([]);
  await perform({ action: "uncordon", node: "node-1" });
  expect((await node("node-1")).spec?.unschedulable ?? false).toBe(false);
});

test("a Pod that is gone before it is evicted is no refusal", async () => {
  const { client, server, clock, podsOn } = await cluster();
  const [first] = await podsOn("node-1");
  const gone = { namespace: "default", name: first?.metadata.name ?? "" };
  const send = server.open("trimtab-page/test");
  const open: OpenRequest = async (request, signal) => {
    if (request.path.endsWith(`/${gone.name}/eviction`))
      await client.delete(pods, gone, { gracePeriodSeconds: 0 });
    return send(request, signal);
  };
  const { signal } = new AbortController();
  const { done, refused } = await performAction({ action: "drain", node: "node-1" }, { open, clock, signal });
  expect(refused).toEqual([]);
  expect(done).not.toContain(`pod/${gone.name} evicted`);
});

test("a zone fails with all of its nodes, and no other, until it is restored", async () => {
  const { perform, clock, node } = await cluster();
  const isReady = async (name: string) =>
    (await node(name)).status?.conditions?.find(({ type }) => type === "Ready")?.status;
  const zone = (await node("node-1")).metadata.labels?.["topology.kubernetes.io/zone"] ?? "";
  expect((await perform({ action: "fail-zone", zone })).done).toEqual(["node/node-1 annotated"]);
  await clock.advance(60_000);
  expect([await isReady("node-1"), await isReady("node-2")]).toEqual(["Unknown", "True"]);
  await perform({ action: "restore-zone", zone });
  await clock.advance(60_000);
  expect(await isReady("node-1")).toBe("True");
  await perform({ action: "fail-node", node: "node-2" });
  await clock.advance(60_000);
  expect([await isReady("node-1"), await isReady("node-2")]).toEqual(["True", "Unknown"]);
});

test("what does not exist is not found", async () => {
  const { perform } = await cluster();
  const actions: readonly PageAction[] = [
    { action: "scale", ...web, name: "other", replicas: 1 },
    { action: "restart-rollout", ...web, name: "other" },
    { action: "cordon", node: "node-9" },
    { action: "drain", node: "node-9" },
    { action: "fail-node", node: "node-9" },
  ];
  for (const action of actions) await expect(perform(action)).rejects.toThrow(/ "(other|node-9)" not found/);
});
