import { expect, test } from "vitest";
import { keyOf } from "../../api/object.ts";
import { pods, replicaSets } from "../../api/resources.ts";
import { VirtualClock } from "../../machinery/clock/virtual-clock.ts";
import { InformerFactory } from "../../machinery/informer/informer-factory.ts";
import { silentLogger } from "../../machinery/log/logger.ts";
import { seededRandom } from "../../machinery/random/random.ts";
import { ScriptedApi, replicaSet } from "../../testing/index.ts";
import { newSyncState } from "./sync-state.ts";

function newState() {
  const clock = new VirtualClock();
  const informers = new InformerFactory({
    client: new ScriptedApi(),
    clock,
    random: seededRandom("sync-state"),
  });
  const views = { owners: informers.of(replicaSets), pods: informers.of(pods) };
  return { clock, syncState: newSyncState({ clock, log: silentLogger, ...views }) };
}

const web = replicaSet("web");

test("Pods created twice within ten seconds are created repeatedly", async () => {
  const { clock, syncState } = newState();
  expect(syncState.creations.isRepeated(web)).toBe(false);
  await clock.advance(9_999);
  expect(syncState.creations.isRepeated(web)).toBe(true);
  await clock.advance(10_000);
  expect(syncState.creations.isRepeated(web)).toBe(false);
});

test("for another owner of the same name no Pods were created", () => {
  const { syncState } = newState();
  syncState.creations.isRepeated(web);
  expect(syncState.creations.isRepeated(replicaSet("web", { uid: "another" }))).toBe(false);
});

test("an owner that is found to be gone is forgotten, whichever it was", () => {
  const { syncState } = newState();
  syncState.creations.isRepeated(web);
  syncState.forget(keyOf(web));
  expect(syncState.creations.isRepeated(web)).toBe(false);
});
