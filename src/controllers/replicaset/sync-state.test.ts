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
  const informers = new InformerFactory({ client: new FakeApi(), clock, random: seededRandom("memory") });
  const views = { owners: informers.of(replicaSets), pods: informers.of(pods) };
  return { clock, memory: newSyncState({ clock, log: silentLogger, ...views }) };
}

const web = replicaSet("web");

test("Pods made twice within ten seconds are made again", async () => {
  const { clock, memory } = world();
  expect(memory.creations.isAgain(web)).toBe(false);
  await clock.advance(9_999);
  expect(memory.creations.isAgain(web)).toBe(true);
  await clock.advance(10_000);
  expect(memory.creations.isAgain(web)).toBe(false);
});

test("another owner of the same name has had no Pods made", () => {
  const { memory } = world();
  memory.creations.isAgain(web);
  expect(memory.creations.isAgain(replicaSet("web", { uid: "another" }))).toBe(false);
});

test("an owner that is found to be gone is forgotten, whichever it was", () => {
  const { memory } = world();
  memory.creations.isAgain(web);
  memory.forget(keyOf(web));
  expect(memory.creations.isAgain(web)).toBe(false);
});
