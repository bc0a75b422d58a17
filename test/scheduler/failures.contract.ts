import { describe, expect, test } from "vitest";
import { findCondition } from "../../src/api/conditions.ts";
import type { Pod } from "../../src/api/generated/core-v1.ts";
import { nodes, pods } from "../../src/api/resources.ts";
import { formatTime } from "../../src/api/time.ts";
import { ApiError } from "../../src/machinery/client/api-error.ts";
import type { ClientCall } from "../../src/machinery/client/intercept-client.ts";
import {
  nodeDraft,
  podDraft,
  preemptionInVain,
  type StartSchedulerFixture,
  type SchedulerFixture,
} from "./fixture.ts";

const scheduled = (pod: Pod) => findCondition(pod.status?.conditions, "PodScheduled");
const broken = new ApiError({ code: 500, reason: "InternalError", message: "the disk is full" });
const requesting = (cpu: string): Partial<Pod["spec"]> => ({
  containers: [{ name: "c", image: "c", resources: { requests: { cpu } } }],
});
const isBind = ({ verb }: ClientCall) => verb === "bind";
const patches = ({ scheduler }: SchedulerFixture) =>
  scheduler.requests.filter(({ verb }) => verb === "patch");
const binds = ({ scheduler }: SchedulerFixture) => scheduler.requests.filter(isBind);

/** What becomes of Pods that cannot be placed or bound. */
export function describeFailing(start: StartSchedulerFixture): void {
  describe("a Pod that fits nowhere", () => {
    const tainted = { spec: { taints: [{ key: "k", effect: "NoSchedule" }] } };
    const stuck = async () => {
      const fixture = await start({
        nodes: [
          nodeDraft("tainted", tainted),
          nodeDraft("small", { cpu: "1" }),
          nodeDraft("smaller", { cpu: "500m" }),
        ],
      });
      await fixture.createPod("a", { spec: requesting("2") });
      await fixture.clock.settle();
      return fixture;
    };
    const message = `0/3 nodes are available: 1 node(s) had untolerated taint(s), 2 Insufficient cpu. ${preemptionInVain(3)}`;

    test("says why in a condition and an event, word for word as Kubernetes", async () => {
      const { pod, eventsOf, clock } = await stuck();
      expect(scheduled(await pod("a"))).toEqual({
        type: "PodScheduled",
        status: "False",
        reason: "Unschedulable",
        message,
        lastTransitionTime: formatTime(clock.now()),
        observedGeneration: 1,
      });
      expect(await eventsOf("a")).toMatchObject([
        {
          type: "Warning",
          reason: "FailedScheduling",
          action: "Scheduling",
          message,
          reportingComponent: "default-scheduler",
        },
      ]);
      await clock.settle();
    });

    test("is not tried again and again while nothing happens", async () => {
      const fixture = await stuck();
      await fixture.clock.advance(240_000);
      const attempts = { result: "unschedulable", profile: "default-scheduler" };
      expect(fixture.metrics.value("scheduler_schedule_attempts_total", attempts)).toBe(1);
      expect(patches(fixture)).toHaveLength(1);
      await fixture.clock.advance(3_600_000);
      // Every five minutes and the rest of a round, in case something was missed.
      expect(fixture.metrics.value("scheduler_schedule_attempts_total", attempts)).toBeLessThan(14);
      expect(patches(fixture)).toHaveLength(1);
    });

    test("is blamed on those who refused it, as long as it waits", async () => {
      const { metrics, client, clock } = await stuck();
      const refusedBy = (plugin: string) =>
        metrics.value("scheduler_unschedulable_pods", { plugin, profile: "default-scheduler" });
      expect([
        refusedBy("TaintToleration"),
        refusedBy("NodeResourcesFit"),
        refusedBy("NodeAffinity"),
      ]).toEqual([1, 1, 0]);
      await client.delete(pods, { namespace: "default", name: "a" });
      await clock.settle();
      expect([refusedBy("TaintToleration"), refusedBy("NodeResourcesFit")]).toEqual([0, 0]);
    });

    test.for([
      {
        name: "a node comes that has room",
        change: (fixture: SchedulerFixture) => fixture.client.create(nodes, nodeDraft("large")),
      },
      {
        name: "a taint is removed",
        change: ({ client }: SchedulerFixture) =>
          client.patch(nodes, { name: "tainted" }, { type: "merge", body: { spec: { taints: null } } }),
      },
    ])("is placed when $name", async ({ change }) => {
      const fixture = await stuck();
      await change(fixture);
      await fixture.clock.advance(2000);
      const { spec, status } = await fixture.pod("a");
      expect(spec.nodeName).toMatch(/^large|tainted$/);
      expect(findCondition(status?.conditions, "PodScheduled")?.status).toBe("True");
    });

    test("is placed when a Pod makes room", async () => {
      const fixture = await start({ nodes: [nodeDraft("n", { cpu: "2" })] });
      await fixture.createPod("first", { spec: requesting("2") });
      await fixture.createPod("second", { spec: requesting("2") });
      await fixture.clock.settle();
      expect(await fixture.places()).toEqual({ first: "n", second: undefined });
      await fixture.client.delete(pods, { namespace: "default", name: "first" }, { gracePeriodSeconds: 0 });
      await fixture.clock.settle();
      expect(await fixture.places()).toEqual({ second: "n" });
    });
  });

  test("a condition that changes only its reason keeps its time", async () => {
    const fixture = await start({ nodes: [nodeDraft("n", { cpu: "1" })] });
    await fixture.createPod("a", { spec: requesting("2") });
    await fixture.clock.advance(60_000);
    await fixture.client.create(nodes, nodeDraft("m", { cpu: "2", spec: { unschedulable: true } }));
    await fixture.clock.advance(10_000);
    const before = scheduled(await fixture.pod("a"));
    await fixture.client.patch(
      nodes,
      { name: "n" },
      { type: "merge", body: { spec: { unschedulable: true } } },
    );
    await fixture.clock.advance(400_000);
    const after = scheduled(await fixture.pod("a"));
    expect(before?.message).toBe(
      `0/2 nodes are available: 1 Insufficient cpu, 1 node(s) were unschedulable. ${preemptionInVain(2)}`,
    );
    expect(after?.message).toBe(
      `0/2 nodes are available: 2 node(s) were unschedulable. ${preemptionInVain(2)}`,
    );
    expect(after?.lastTransitionTime).toBe(before?.lastTransitionTime);
  });

  test("without any node a Pod says so, and looks again ever more slowly", async () => {
    const fixture = await start({ nodes: 0 });
    await fixture.createPod("a");
    await fixture.clock.advance(60_000);
    expect(scheduled(await fixture.pod("a"))).toMatchObject({
      reason: "Unschedulable",
      message: "no nodes available to schedule pods",
    });
    const attempts = { result: "unschedulable", profile: "default-scheduler" };
    expect(fixture.metrics.value("scheduler_schedule_attempts_total", attempts)).toBe(8);
    await fixture.client.create(nodes, nodeDraft("n"));
    await fixture.clock.advance(12_000);
    expect(await fixture.places()).toEqual({ a: "n" });
  });

  test("a topology key that no node has is said of every node", async () => {
    const fixture = await start();
    const constraint = { maxSkew: 1, topologyKey: "absent", whenUnsatisfiable: "DoNotSchedule" };
    await fixture.createPod("a", { spec: { topologySpreadConstraints: [constraint] } });
    await fixture.clock.settle();
    expect(scheduled(await fixture.pod("a"))?.message).toBe(
      `0/3 nodes are available: 3 node(s) didn't match pod topology spread constraints (missing required label). ${preemptionInVain(3)}`,
    );
  });

  describe("a binding that fails", () => {
    test("frees the room, says so, and is tried again after a while", async () => {
      const fixture = await start({ nodes: [nodeDraft("n", { cpu: "2" })] });
      const relent = fixture.scheduler.failRequests((request) => (isBind(request) ? broken : undefined));
      await fixture.createPod("a", { spec: requesting("2") });
      await fixture.clock.settle();
      expect(scheduled(await fixture.pod("a"))).toMatchObject({
        reason: "SchedulerError",
        message: 'running Bind plugin "DefaultBinder": the disk is full',
      });
      expect(fixture.metrics.value("scheduler_cache_size", { type: "assumed_pods" })).toBe(0);
      expect((await fixture.eventsOf("a"))[0]?.reason).toBe("FailedScheduling");
      expect(binds(fixture)).toHaveLength(1);
      relent();
      await fixture.clock.advance(1999);
      expect(await fixture.places()).toEqual({ a: undefined });
      await fixture.clock.advance(1);
      expect(await fixture.places()).toEqual({ a: "n" });
      expect(scheduled(await fixture.pod("a"))?.status).toBe("True");
    });

    test("lets others have the room meanwhile", async () => {
      const fixture = await start({ nodes: [nodeDraft("n", { cpu: "2" })] });
      let refused = false;
      fixture.scheduler.failRequests((request) => {
        if (!isBind(request) || refused) return undefined;
        refused = true;
        return broken;
      });
      await fixture.createPod("a", { spec: requesting("2") });
      await fixture.createPod("b", { spec: requesting("2") });
      await fixture.clock.advance(1000);
      expect(await fixture.places()).toEqual({ a: undefined, b: "n" });
      await fixture.clock.advance(60_000);
      expect(await fixture.places()).toEqual({ a: undefined, b: "n" });
      expect(scheduled(await fixture.pod("a"))?.reason).toBe("Unschedulable");
    });

    test("wakes those who were refused for lack of that room", async () => {
      const fixture = await start({ nodes: [nodeDraft("n", { cpu: "2" })], bindingMs: 500 });
      fixture.scheduler.failRequests((request) =>
        isBind(request) && request.name === "a" ? broken : undefined,
      );
      await fixture.createPod("a", { spec: requesting("2") });
      await fixture.clock.settle();
      await fixture.createPod("b", { spec: requesting("2") });
      await fixture.clock.advance(499);
      expect(scheduled(await fixture.pod("b"))?.reason).toBe("Unschedulable");
      await fixture.clock.advance(501);
      expect(await fixture.places()).toEqual({ a: undefined, b: "n" });
    });

    test("of a Pod that is deleted meanwhile leaves its room to others", async () => {
      const fixture = await start({ nodes: [nodeDraft("n", { cpu: "2" })], bindingMs: 5000 });
      await fixture.createPod("a", { spec: requesting("2") });
      await fixture.clock.settle();
      await fixture.createPod("b", { spec: requesting("2") });
      await fixture.clock.advance(1000);
      await fixture.client.delete(pods, { namespace: "default", name: "a" }, { gracePeriodSeconds: 0 });
      await fixture.clock.advance(1000);
      expect(fixture.records.find({ name: "b" })[0]?.summary).toBe("n: the only node that fits");
      await fixture.clock.advance(10_000);
      expect(await fixture.places()).toEqual({ b: "n" });
    });

    test("but has happened all the same is not repeated", async () => {
      const fixture = await start({ nodes: 3 });
      fixture.scheduler.failRequests((request) => {
        if (!isBind(request)) return undefined;
        // The answer is lost, the binding is not.
        void fixture.client.bind(
          { namespace: "default", name: "a" },
          { target: { kind: "Node", name: "node-2" } },
        );
        return new Error("connection lost");
      });
      await fixture.createPod("a");
      await fixture.clock.advance(60_000);
      expect(await fixture.places()).toEqual({ a: "node-2" });
      expect(binds(fixture)).toHaveLength(1);
      expect(fixture.metrics.value("scheduler_cache_size", { type: "pods" })).toBe(1);
    });

    test("because the Pod is gone is forgotten", async () => {
      const fixture = await start();
      fixture.scheduler.holdWatches(pods);
      await fixture.createPod("a");
      await fixture.client.delete(pods, { namespace: "default", name: "a" }, { gracePeriodSeconds: 0 });
      fixture.scheduler.releaseWatches();
      await fixture.clock.advance(60_000);
      expect(await fixture.places()).toEqual({});
      for (const type of ["pods", "assumed_pods"])
        expect(fixture.metrics.value("scheduler_cache_size", { type })).toBe(0);
      for (const queue of ["active", "backoff", "unschedulable"])
        expect(fixture.metrics.value("scheduler_pending_pods", { queue })).toBe(0);
    });

    test("because another Pod has the name now binds that one, once", async () => {
      const fixture = await start();
      let replaced = false;
      fixture.scheduler.failRequests((request) => {
        if (!isBind(request) || replaced) return undefined;
        replaced = true;
        const name = { namespace: "default", name: "a" };
        void fixture.client
          .delete(pods, name, { gracePeriodSeconds: 0 })
          .then(() => fixture.client.create(pods, podDraft("a")));
        return undefined;
      });
      await fixture.createPod("a");
      await fixture.clock.advance(60_000);
      expect((await fixture.places())["a"]).toMatch(/^node-/);
      expect(fixture.metrics.value("scheduler_cache_size", { type: "pods" })).toBe(1);
    });
  });

  test("what is written about a Pod does not reach another one of its name", async () => {
    const fixture = await start({ nodes: [nodeDraft("n", { cpu: "1" })] });
    fixture.scheduler.holdWatches(pods);
    await fixture.createPod("a", { spec: requesting("2") });
    await fixture.client.delete(pods, { namespace: "default", name: "a" }, { gracePeriodSeconds: 0 });
    await fixture.createPod("a", { spec: { ...requesting("2"), schedulerName: "somebody-else" } });
    fixture.scheduler.releaseWatches();
    await fixture.clock.advance(60_000);
    expect(scheduled(await fixture.pod("a"))).toBeUndefined();
    expect(fixture.log.entries).toEqual([]);
  });

  test("somebody else's binding is respected", async () => {
    const fixture = await start();
    fixture.scheduler.holdWatches(pods);
    await fixture.createPod("a");
    await fixture.client.bind(
      { namespace: "default", name: "a" },
      { target: { kind: "Node", name: "node-3" } },
    );
    fixture.scheduler.releaseWatches();
    await fixture.clock.advance(60_000);
    expect(await fixture.places()).toEqual({ a: "node-3" });
  });

  test("a Pod that is going is not placed", async () => {
    const fixture = await start({ nodes: 0 });
    await fixture.createPod("a", { metadata: { finalizers: ["example.com/hold"] } });
    await fixture.clock.settle();
    await fixture.client.delete(pods, { namespace: "default", name: "a" });
    await fixture.client.create(nodes, nodeDraft("n"));
    await fixture.clock.advance(60_000);
    expect(await fixture.places()).toEqual({ a: undefined });
    expect((await fixture.eventsOf("a")).map(({ message }) => message)).toContain(
      "skip schedule deleting pod: default/a",
    );
  });

  test("a condition is written before the binding that makes it untrue", async () => {
    const fixture = await start({ nodes: [nodeDraft("n", { cpu: "1" })] });
    await fixture.createPod("a", { spec: requesting("2") });
    void fixture.client.create(nodes, nodeDraft("m"));
    await fixture.clock.advance(10_000);
    const order = fixture.scheduler.requests.filter(({ verb }) => verb === "patch" || verb === "bind");
    expect(order.map(({ verb }) => verb)).toEqual(["patch", "bind"]);
    expect(scheduled(await fixture.pod("a"))?.status).toBe("True");
  });

  test("stopping waits until the binding it calls off has ended, and begins nothing more", async () => {
    const fixture = await start({ bindingMs: 5000 });
    await fixture.createPod("a");
    await fixture.clock.settle();
    expect(fixture.records.find({ name: "a" })).toHaveLength(1);
    let isStopped = false;
    const stopping = fixture.stopScheduler().then(() => (isStopped = true));
    await fixture.createPod("b");
    await fixture.clock.advance(4999);
    expect(isStopped).toBe(false);
    await fixture.clock.advance(1);
    await stopping;
    await fixture.clock.advance(60_000);
    expect(await fixture.places()).toEqual({ a: undefined, b: undefined });
    expect(fixture.records.find({ name: "b" })).toEqual([]);
    expect(fixture.log.entries).toEqual([]);
  });
}
