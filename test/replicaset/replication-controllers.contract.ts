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
    const fixture = await start();
    const { metadata } = await createController(fixture, 3);
    const running = await activePods(fixture);
    const reference = {
      apiVersion: "v1",
      kind: "ReplicationController",
      name: "web",
      uid: metadata.uid,
      controller: true,
      blockOwnerDeletion: true,
    };
    expect(running.flatMap((pod) => pod.metadata.ownerReferences)).toEqual([reference, reference, reference]);
    expect((await fixture.client.get(replicationControllers, at("web"))).status).toEqual({
      replicas: 3,
      fullyLabeledReplicas: 3,
      readyReplicas: 3,
      availableReplicas: 3,
      observedGeneration: 1,
    });
    expect(fixture.events()[0]?.involvedObject).toMatchObject({ kind: "ReplicationController", name: "web" });
  });

  test("it shrinks by the same order and says why", async () => {
    const fixture = await start();
    await createController(fixture, 2);
    const [first = "", second = ""] = namesOf(await activePods(fixture));
    await patchPod(fixture, second, {
      metadata: { annotations: { "controller.kubernetes.io/pod-deletion-cost": "-7" } },
    });
    await fixture.client.patch(replicationControllers, at("web"), {
      type: "merge",
      body: { spec: { replicas: 1 } },
    });
    await fixture.clock.settle();
    expect(namesOf(await activePods(fixture))).toEqual([first]);
    expect(fixture.events().at(-1)?.message).toBe(
      `Deleted pod: ${second} (deletion-cost: -7, ${first} has 0)`,
    );
    expect(fixture.removals.find(at("web"))[0]?.workload.kind).toBe("ReplicationController");
  });

  test("it adopts orphans, and leaves the Pods of a ReplicaSet of its name alone", async () => {
    const fixture = await start({ nodes: 0 });
    await create(fixture, "web", { labels: { ...labels, owner: "set" } });
    const [another = ""] = namesOf(await allPods(fixture));
    await createLoosePod(fixture, "orphan");
    await createController(fixture, 1);
    const owners = (await allPods(fixture)).map((pod) => [pod.metadata.name, controllerOf(pod)?.kind]);
    expect(Object.fromEntries(owners)).toEqual({ [another]: "ReplicaSet", orphan: "ReplicationController" });
  });

  test("without a selector it selects what its template is labelled", async () => {
    const fixture = await start({ nodes: 0 });
    const { selector: _unsaid, ...spec } = draft(2).spec;
    await fixture.client.create(replicationControllers, { metadata: at("web"), spec });
    await fixture.clock.settle();
    expect(await activePods(fixture)).toHaveLength(2);
  });
}

function draft(replicas: number): Draft<ReplicationController> {
  const { template } = workload("web").spec;
  return {
    metadata: at("web"),
    spec: { replicas, selector: { app: "web" }, ...(template !== undefined && { template }) },
  };
}

async function createController(
  fixture: ReplicaSetFixture,
  replicas: number,
): Promise<ReplicationController> {
  const created = await fixture.client.create(replicationControllers, draft(replicas));
  await fixture.clock.advance(2000);
  return created;
}
