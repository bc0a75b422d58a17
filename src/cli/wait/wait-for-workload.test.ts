import { expect, onTestFinished, test } from "vitest";
import { deployments } from "../../api/resources.ts";
import type { Client } from "../../machinery/client/client.ts";
import { interceptClient } from "../../machinery/client/intercept-client.ts";
import { type TestCluster, testCluster } from "../../testing/test-cluster.ts";
import { waitForWorkload, type WaitOrder } from "./wait-for-workload.ts";

const web = { namespace: "default", name: "web" };

/** A cluster with a Deployment of three Pods that run. */
async function running(): Promise<TestCluster> {
  const cluster = await testCluster();
  onTestFinished(cluster.stop);
  const labels = { app: "web" };
  const annotations = { "sim.trimtab.dev/terminationDelay": "20s" };
  await cluster.client.create(deployments, {
    metadata: web,
    spec: {
      replicas: 3,
      selector: { matchLabels: labels },
      template: {
        metadata: { labels, annotations },
        spec: { containers: [{ name: "web", image: "web:1" }] },
      },
    },
  });
  expect(await waited(cluster, {}).result).toEqual({ ok: true });
  return cluster;
}

/** Waits in virtual time, and notes what was waited for. */
function waited(cluster: TestCluster, order: Partial<WaitOrder>, client: Client = cluster.client) {
  const [progress, { signal }] = [[] as string[], new AbortController()];
  const environment = {
    client,
    clock: cluster.clock,
    signal,
    progress: (text: string) => progress.push(text),
  };
  const work = waitForWorkload({ ...web, kind: "Deployment", terminated: false, ...order }, environment);
  return { progress, result: cluster.clock.runUntilSettled(work) };
}

const scaleTo = (client: Client, replicas: number) =>
  client.patch(deployments, web, { type: "merge", body: { spec: { replicas } } });

test("a rollout is over before its Pods have ended, and --terminated waits for them", async () => {
  const cluster = await running();
  await scaleTo(cluster.client, 1);
  const rolledOut = waited(cluster, {});
  expect(await rolledOut.result).toEqual({ ok: true });
  expect(rolledOut.progress).not.toContainEqual(expect.stringContaining("terminating"));

  const ended = waited(cluster, { terminated: true });
  expect(await ended.result).toEqual({ ok: true });
  expect(ended.progress.at(0)).toMatch(/^2 Pods still terminating: web-\w+-\w+, web-\w+-\w+$/);
});

test("a wait ends after its timeout and says what it waited for", async () => {
  const cluster = await running();
  await scaleTo(cluster.client, 0);
  const { result } = waited(cluster, { terminated: true, timeoutMs: 600 });
  expect(await result).toEqual({
    ok: false,
    problem: expect.stringMatching(/^timed out waiting for .* Pods? still terminating/) as string,
  });
});

test("a workload that is not there, or goes while it is waited for, ends the wait", async () => {
  const cluster = await running();
  expect(await waited(cluster, { name: "wbe" }).result).toEqual({
    ok: false,
    problem: "there is no Deployment wbe in namespace default",
  });
  await cluster.client.patch(deployments, web, {
    type: "merge",
    body: { spec: { paused: true, replicas: 3 } },
  });
  await cluster.client.patch(deployments, web, {
    type: "merge",
    body: { spec: { template: { metadata: { labels: { revision: "2" } } } } },
  });
  const { progress, result } = waited(cluster, {});
  cluster.clock.after(5000, () => void cluster.client.delete(deployments, web));
  expect(await result).toEqual({ ok: false, problem: "it was deleted" });
  expect(progress.at(-1)).toBe("somebody to resume it: it is paused");
});

test("a connection that is lost in the middle is waited out; a refusal is not", async () => {
  const cluster = await running();
  await scaleTo(cluster.client, 1);
  let calls = 0;
  const flaky = interceptClient(cluster.client, {
    call: (_call, send) => (++calls === 3 ? Promise.reject(new Error("socket hang up")) : send()),
  });
  const { progress, result } = waited(cluster, { terminated: true }, flaky);
  expect(await result).toEqual({ ok: true });
  expect(progress).toContain("an answer of the API server: socket hang up");
});
