import { expect, test } from "vitest";
import { findCondition } from "../../src/api/conditions.ts";
import { nodes, pods } from "../../src/api/resources.ts";
import { nodeDraft, preemptionInVain, type StartSchedulerFixture } from "./fixture.ts";

/** How Pods get their nodes. */
export function describePlacing(start: StartSchedulerFixture): void {
  test("a Pod gets a node, and an event says so in the scheduler's name", async () => {
    const { createPod, pod, eventsOf, clock, log } = await start();
    await createPod("a");
    await clock.settle();
    const { spec, status } = await pod("a");
    expect(spec.nodeName).toMatch(/^node-[123]$/);
    expect(findCondition(status?.conditions, "PodScheduled")?.status).toBe("True");
    expect(await eventsOf("a")).toMatchObject([
      {
        type: "Normal",
        reason: "Scheduled",
        action: "Binding",
        message: `Successfully assigned default/a to ${spec.nodeName}`,
        reportingComponent: "default-scheduler",
      },
    ]);
    expect(log.entries).toEqual([]);
  });

  test("a burst of Pods is seen by the next decision before the API server has heard of it", async () => {
    const { createPod, places, clock } = await start({ nodes: 2, config: spreadOverHosts });
    for (const name of ["a", "b", "c", "d"]) await createPod(name);
    await clock.settle();
    const counts = Object.values(await places())
      .map(String)
      .sort();
    expect(counts).toEqual(["node-1", "node-1", "node-2", "node-2"]);
  });

  const spreadOverHosts = `
apiVersion: kubescheduler.config.k8s.io/v1
kind: KubeSchedulerConfiguration
profiles:
  - plugins:
      multiPoint: {disabled: [{name: ImageLocality}, {name: NodeResourcesBalancedAllocation}]}
`;

  const twoProfiles = `
apiVersion: kubescheduler.config.k8s.io/v1
kind: KubeSchedulerConfiguration
profiles:
  - schedulerName: default-scheduler
  - schedulerName: packing
    pluginConfig:
      - name: NodeResourcesFit
        args: {scoringStrategy: {type: MostAllocated}}
`;

  test("every profile places its own Pods in its own way and name; others' Pods are left alone", async () => {
    const { createPod, places, eventsOf, clock, client } = await start({ nodes: 3, config: twoProfiles });
    const requesting = { containers: [{ name: "c", image: "c", resources: { requests: { cpu: "1" } } }] };
    for (const name of ["p1", "p2", "p3"])
      await createPod(name, { spec: { ...requesting, schedulerName: "packing" } });
    for (const name of ["s1", "s2", "s3"]) await createPod(name, { labels: { app: "s" }, spec: requesting });
    await createPod("foreign", { spec: { schedulerName: "somebody-else" } });
    await clock.advance(60_000);
    const where = await places();
    expect(new Set([where["p1"], where["p2"], where["p3"]]).size).toBe(1);
    expect(new Set([where["s1"], where["s2"], where["s3"]]).size).toBeGreaterThan(1);
    expect(where["foreign"]).toBeUndefined();
    expect((await eventsOf("p1"))[0]?.reportingComponent).toBe("packing");
    expect(await eventsOf("foreign")).toEqual([]);
    expect(
      (await client.get(pods, { namespace: "default", name: "foreign" })).status?.conditions,
    ).toBeUndefined();
  });

  test("a Pod behind gates waits without a word until the last one opens", async () => {
    const { createPod, places, eventsOf, clock, client, metrics, pod } = await start();
    await createPod("a", { spec: { schedulingGates: [{ name: "example.com/quota" }] } });
    await clock.advance(600_000);
    expect(await places()).toEqual({ a: undefined });
    expect(await eventsOf("a")).toEqual([]);
    expect(findCondition((await pod("a")).status?.conditions, "PodScheduled")).toMatchObject({
      status: "False",
      reason: "SchedulingGated",
    });
    expect(metrics.value("scheduler_pending_pods", { queue: "gated" })).toBe(1);
    const body = [{ op: "remove", path: "/spec/schedulingGates" }];
    await client.patch(pods, { namespace: "default", name: "a" }, { type: "json", operations: body });
    await clock.settle();
    expect((await places())["a"]).toMatch(/^node-/);
  });

  test("a Pod waits for its claim, and for devices only where they are real", async () => {
    const volumes = [{ name: "data", persistentVolumeClaim: { claimName: "data" } }];
    const resourceClaims = [{ name: "gpu", resourceClaimName: "gpu" }];
    const message = (why: string) => `0/3 nodes are available: ${why}. ${preemptionInVain(3)}`;
    for (const claims of ["simulated", "elsewhere"] as const) {
      const scheduled = await start({ claims });
      await scheduled.createPod("stores", { spec: { volumes } });
      await scheduled.createPod("computes", { spec: { resourceClaims } });
      await scheduled.clock.settle();
      const conditionOf = async (name: string) =>
        findCondition((await scheduled.pod(name)).status?.conditions, "PodScheduled");
      expect(await conditionOf("stores")).toMatchObject({
        reason: "Unschedulable",
        message: message('persistentvolumeclaim "data" not found'),
      });
      if (claims === "simulated") expect((await scheduled.places())["computes"]).toMatch(/^node-/);
      else
        expect(await conditionOf("computes")).toMatchObject({
          message: message("the Pod has resource claims, which this scheduler does not support"),
        });
    }
  });

  test("the same seed places the same Pods on the same nodes, another one otherwise", async () => {
    const run = async (seed: string) => {
      const { createPod, places, clock } = await start({ seed, nodes: 12 });
      for (let index = 0; index < 8; index++) await createPod(`p${index}`, { labels: { app: `p${index}` } });
      await clock.settle();
      return places();
    };
    const first = await run("one");
    expect(await run("one")).toEqual(first);
    expect(await run("two")).not.toEqual(first);
  });

  test("a node that comes is used, one that goes is not", async () => {
    const { createPod, places, clock, client } = await start({ nodes: [nodeDraft("old")] });
    await client.delete(nodes, { name: "old" });
    await client.create(nodes, nodeDraft("new"));
    await createPod("a");
    await clock.advance(5000);
    expect(await places()).toEqual({ a: "new" });
  });
}
