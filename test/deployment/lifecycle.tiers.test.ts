import { expect, test } from "vitest";
import type { Deployment } from "../../src/api/generated/apps-v1.ts";
import { deployments } from "../../src/api/resources.ts";
import { at } from "./builders.ts";
import { headcount } from "./census.ts";
import { circumstances, startUnder } from "./circumstances.ts";
import { deployed, patch, revisionOf, statusOf, stored } from "./web.ts";
import type { DeploymentFixture } from "./fixture.ts";

/** What a watch sees of Deployments: the type of each event, and the size that was wanted. */
function watched(world: DeploymentFixture): readonly string[] {
  const seen: string[] = [];
  world.store.collection("deployments.apps").subscribe({ of: "all" }, (events) => {
    for (const { type, record } of events) {
      const { spec } = record.object as unknown as Deployment;
      seen.push(`${type} ${spec.replicas}`);
    }
  });
  return seen;
}

const conditionTypes = async (world: DeploymentFixture) =>
  (await statusOf(world)).conditions?.map(({ type }) => type).toSorted();

test.for(circumstances)(
  "a Deployment lives from its creation to its deletion $under",
  async (circumstance) => {
    const world = await startUnder(circumstance);
    const seen = watched(world);
    await deployed(world, { policy: circumstance.policy, replicas: 2 });
    await patch(world, {
      metadata: { labels: { patched: "yes" } },
      spec: { replicas: 1, template: { spec: { terminationGracePeriodSeconds: 0 } } },
    });
    await world.clock.advance(30_000);
    expect(await headcount(world)).toBe("1");
    expect(revisionOf(await stored(world))).toBe(2);
    const { items } = await world.client.list(deployments, { labelSelector: "patched=yes" });
    expect(items.map(({ metadata }) => metadata.name)).toEqual(["web"]);

    // What somebody else reports is not believed for long.
    const body = { status: { readyReplicas: 0, availableReplicas: 0 } };
    await world.client.patch(deployments, at("web"), { type: "merge", body, subresource: "status" });
    await world.clock.advance(1000);
    expect(await statusOf(world)).toMatchObject({ readyReplicas: 1, availableReplicas: 1 });

    await world.client.deleteCollection(deployments, { namespace: "default", labelSelector: "patched=yes" });
    await world.clock.advance(30_000);
    expect(await headcount(world)).toBe("0");
    expect([seen[0], seen.at(-1)]).toEqual(["ADDED 2", "DELETED 1"]);
    expect(seen).toContain("MODIFIED 1");
  },
);

test("the status can be read, replaced and patched, and conditions of others stay", async () => {
  const world = await startUnder(circumstances[0] ?? expect.fail("no circumstances"));
  await deployed(world);
  const condition = { type: "Checked", status: "True", reason: "ByHand", message: "all is well" };
  const { metadata, spec, status = {} } = await stored(world);
  const conditions = [...(status.conditions ?? []), condition];
  const replaced = await world.client.update(
    deployments,
    { metadata, spec: { ...spec, replicas: 9 }, status: { ...status, conditions } },
    { subresource: "status" },
  );
  expect(replaced.spec.replicas).toBe(3);
  expect(replaced.metadata.generation).toBe(metadata.generation);
  await world.clock.advance(1000);
  expect(await conditionTypes(world)).toEqual(["Available", "Checked", "Progressing"]);

  const message = "still well";
  const body = { status: { conditions: [{ type: "Checked", status: "True", message }] } };
  const patched = await world.client.patch(deployments, at("web"), {
    type: "strategic",
    body,
    subresource: "status",
  });
  expect(patched.status?.conditions).toContainEqual(expect.objectContaining({ type: "Checked", message }));
  await patch(world, { spec: { replicas: 4 } });
  await world.clock.advance(5000);
  expect(await conditionTypes(world)).toEqual(["Available", "Checked", "Progressing"]);
  expect(await headcount(world)).toBe("4");
});
