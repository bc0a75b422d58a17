import { expect, test } from "vitest";
import { keyOf } from "../../api/object.ts";
import { pods, replicaSets } from "../../api/resources.ts";
import { InformerFactory } from "../../machinery/informer/informer-factory.ts";
import { silentLogger } from "../../machinery/log/logger.ts";
import { seededRandom } from "../../machinery/random/random.ts";
import { replicaSet } from "../../testing/replica-set.ts";
import { testApi } from "../../testing/test-api.ts";
import { newReplicaSyncState } from "./sync-state.ts";

function newState() {
  const { client, clock } = testApi();
  const informers = new InformerFactory({ client, clock, random: seededRandom("sync-state") });
  const views = { owners: informers.of(replicaSets), pods: informers.of(pods) };
  return { clock, syncState: newReplicaSyncState({ clock, log: silentLogger, ...views }) };
}

const web = replicaSet("web");

test("an owner with fewer Pods than after their creation, less than ten seconds ago, has lost some", async () => {
  const { clock, syncState } = newState();
  const { creations } = syncState;
  expect(creations.haveVanished(web, 0)).toBe(false);
  creations.record(web, 3);
  await clock.advance(9_999);
  expect([3, 2].map((count) => creations.haveVanished(web, count))).toEqual([false, true]);
  await clock.advance(1);
  expect(creations.haveVanished(web, 2)).toBe(false);
});

test("another owner of the same name has lost no Pods", () => {
  const { syncState } = newState();
  syncState.creations.record(web, 3);
  expect(syncState.creations.haveVanished(replicaSet("web", { uid: "another" }), 0)).toBe(false);
});

test("an owner that is found to be gone is forgotten, whichever it was", () => {
  const { syncState } = newState();
  syncState.creations.record(web, 3);
  syncState.forget(keyOf(web));
  expect(syncState.creations.haveVanished(web, 0)).toBe(false);
});
