import { expect, test } from "vitest";
import { keyOf } from "../../api/object.ts";
import { pods, replicaSets } from "../../api/resources.ts";
import { VirtualClock } from "../../machinery/clock/virtual-clock.ts";
import { InformerFactory } from "../../machinery/informer/informer-factory.ts";
import { silentLogger } from "../../machinery/log/logger.ts";
import { seededRandom } from "../../machinery/random/random.ts";
import { FakeApi, replicaSet } from "../../testing/index.ts";
import { newSyncState } from "./sync-state.ts";

function world() {
  const clock = new VirtualClock();
  const informers = new InformerFactory({ client: new FakeApi(), clock, random: seededRandom("syncState") });
  const views = { owners: informers.of(replicaSets), pods: informers.of(pods) };
  return { clock, syncState: newSyncState({ clock, log: silentLogger, ...views }) };
}

const web = replicaSet("web");

test("Pods made twice within ten seconds are made again", async () => {
  const { clock, syncState } = world();
  expect(syncState.creations.isRepeated(web)).toBe(false);
  await clock.advance(9_999);
  expect(syncState.creations.isRepeated(web)).toBe(true);
  await clock.advance(10_000);
  expect(syncState.creations.isRepeated(web)).toBe(false);
});

test("another owner of the same name has had no Pods made", () => {
  const { syncState } = world();
  syncState.creations.isRepeated(web);
  expect(syncState.creations.isRepeated(replicaSet("web", { uid: "another" }))).toBe(false);
});

test("an owner that is found to be gone is forgotten, whichever it was", () => {
  const { syncState } = world();
  syncState.creations.isRepeated(web);
  syncState.forget(keyOf(web));
  expect(syncState.creations.isRepeated(web)).toBe(false);
});
