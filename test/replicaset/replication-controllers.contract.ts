import { expect, test } from "vitest";
import type { ReplicationController } from "../../src/api/generated/core-v1.ts";
import type { Draft } from "../../src/api/object.ts";
import { controllerOf } from "../../src/api/owner-references.ts";
import { replicationControllers } from "../../src/api/resources.ts";
import {
  activePods,
  allPods,
  at,
  create,
  createLoosePod,
  labels,
  namesOf,
  patchPod,
  workload,
} from "./workload.ts";
import type { StartReplicaSetFixture, ReplicaSetFixture } from "./fixture.ts";

/** What holds for ReplicaSets holds for ReplicationControllers, by the same engine. */
export function describeReplicationControllers(start: StartReplicaSetFixture): void {
  test("a ReplicationController keeps its Pods at the number it wants and says how many there are", async () => {
    const world = await start();
    const { metadata } = await createController(world, 3);
    const running = await activePods(world);
    const reference = {
      apiVersion: "v1",
      kind: "ReplicationController",
      name: "web",
      uid: metadata.uid,
      controller: true,
      blockOwnerDeletion: true,
    };
    expect(running.flatMap((pod) => pod.metadata.ownerReferences)).toEqual([reference, reference, reference]);
    expect((await world.client.get(replicationControllers, at("web"))).status).toEqual({
      replicas: 3,
      fullyLabeledReplicas: 3,
      readyReplicas: 3,
      availableReplicas: 3,
      observedGeneration: 1,
    });
    expect(world.events()[0]?.involvedObject).toMatchObject({ kind: "ReplicationController", name: "web" });
  });

  test("it shrinks by the same order and says why", async () => {
    const world = await start();
    await createController(world, 2);
    const [first = "", second = ""] = namesOf(await activePods(world));
    await patchPod(world, second, {
      metadata: { annotations: { "controller.kubernetes.io/pod-deletion-cost": "-7" } },
    });
    await world.client.patch(replicationControllers, at("web"), {
      type: "merge",
      body: { spec: { replicas: 1 } },
    });
    await world.clock.settle();
    expect(namesOf(await activePods(world))).toEqual([first]);
    expect(world.events().at(-1)?.message).toBe(`Deleted pod: ${second} (deletion-cost: -7, ${first} has 0)`);
    expect(world.removals.find(at("web"))[0]?.workload.kind).toBe("ReplicationController");
  });

  test("it adopts orphans, and leaves the Pods of a ReplicaSet of its name alone", async () => {
    const world = await start({ nodes: 0 });
    await create(world, "web", { labels: { ...labels, owner: "set" } });
    const [another = ""] = namesOf(await allPods(world));
    await createLoosePod(world, "orphan");
    await createController(world, 1);
    const owners = (await allPods(world)).map((pod) => [pod.metadata.name, controllerOf(pod)?.kind]);
    expect(Object.fromEntries(owners)).toEqual({ [another]: "ReplicaSet", orphan: "ReplicationController" });
  });

  test("without a selector it selects what its template is labelled", async () => {
    const world = await start({ nodes: 0 });
    const { selector: _unsaid, ...spec } = draft(2).spec;
    await world.client.create(replicationControllers, { metadata: at("web"), spec });
    await world.clock.settle();
    expect(await activePods(world)).toHaveLength(2);
  });
}

function draft(replicas: number): Draft<ReplicationController> {
  const { template } = workload("web").spec;
  return {
    metadata: at("web"),
    spec: { replicas, selector: { app: "web" }, ...(template !== undefined && { template }) },
  };
}

async function createController(world: ReplicaSetFixture, replicas: number): Promise<ReplicationController> {
  const created = await world.client.create(replicationControllers, draft(replicas));
  await world.clock.advance(2000);
  return created;
}
