import { expect, test } from "vitest";
import type { Deployment } from "../../src/api/generated/apps-v1.ts";
import { deployments } from "../../src/api/resources.ts";
import { at } from "./builders.ts";
import { podCount } from "./pod-census.ts";
import { policyCases, startUnder } from "./policy-cases.ts";
import { deployed, patch, revisionOf, statusOf, stored } from "./web.ts";
import type { DeploymentFixture } from "./fixture.ts";

/** What a watch sees of Deployments: the type of each event, and the size that was wanted. */
function watched(fixture: DeploymentFixture): readonly string[] {
  const seen: string[] = [];
  fixture.store.collection("deployments.apps").subscribe({ of: "all" }, (events) => {
    for (const { type, record } of events) {
      const { spec } = record.object as unknown as Deployment;
      seen.push(`${type} ${spec.replicas}`);
    }
  });
  return seen;
}

const conditionTypes = async (fixture: DeploymentFixture) =>
  (await statusOf(fixture)).conditions?.map(({ type }) => type).toSorted();

test.for(policyCases)("a Deployment lives from its creation to its deletion $under", async (policyCase) => {
  const fixture = await startUnder(policyCase);
  const seen = watched(fixture);
  await deployed(fixture, { policy: policyCase.policy, replicas: 2 });
  await patch(fixture, {
    metadata: { labels: { patched: "yes" } },
    spec: { replicas: 1, template: { spec: { terminationGracePeriodSeconds: 0 } } },
  });
  await fixture.clock.advance(30_000);
  expect(await podCount(fixture)).toBe("1");
  expect(revisionOf(await stored(fixture))).toBe(2);
  const { items } = await fixture.client.list(deployments, { labelSelector: "patched=yes" });
  expect(items.map(({ metadata }) => metadata.name)).toEqual(["web"]);

  // A status that another client writes is soon corrected.
  const body = { status: { readyReplicas: 0, availableReplicas: 0 } };
  await fixture.client.patch(deployments, at("web"), { type: "merge", body, subresource: "status" });
  await fixture.clock.advance(1000);
  expect(await statusOf(fixture)).toMatchObject({ readyReplicas: 1, availableReplicas: 1 });

  await fixture.client.deleteCollection(deployments, {
    namespace: "default",
    labelSelector: "patched=yes",
  });
  await fixture.clock.advance(30_000);
  expect(await podCount(fixture)).toBe("0");
  expect([seen[0], seen.at(-1)]).toEqual(["ADDED 2", "DELETED 1"]);
  expect(seen).toContain("MODIFIED 1");
});

test("the status can be read, replaced and patched, and conditions of others stay", async () => {
  const fixture = await startUnder(policyCases[0] ?? expect.fail("no policyCases"));
  await deployed(fixture);
  const condition = { type: "Checked", status: "True", reason: "ByHand", message: "all is well" };
  const { metadata, spec, status = {} } = await stored(fixture);
  const conditions = [...(status.conditions ?? []), condition];
  const replaced = await fixture.client.update(
    deployments,
    { metadata, spec: { ...spec, replicas: 9 }, status: { ...status, conditions } },
    { subresource: "status" },
  );
  expect(replaced.spec.replicas).toBe(3);
  expect(replaced.metadata.generation).toBe(metadata.generation);
  await fixture.clock.advance(1000);
  expect(await conditionTypes(fixture)).toEqual(["Available", "Checked", "Progressing"]);

  const message = "still well";
  const body = { status: { conditions: [{ type: "Checked", status: "True", message }] } };
  const patched = await fixture.client.patch(deployments, at("web"), {
    type: "strategic",
    body,
    subresource: "status",
  });
  expect(patched.status?.conditions).toContainEqual(expect.objectContaining({ type: "Checked", message }));
  await patch(fixture, { spec: { replicas: 4 } });
  await fixture.clock.advance(5000);
  expect(await conditionTypes(fixture)).toEqual(["Available", "Checked", "Progressing"]);
  expect(await podCount(fixture)).toBe("4");
});
