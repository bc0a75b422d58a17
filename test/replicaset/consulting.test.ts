import { expect, test } from "vitest";
import type { PickerPort } from "../../src/controllers/replicaset/picker-port.ts";
import type { PickerProgress } from "../../src/decisions/downscale/picker-progress.ts";
import type { ReplicaSet } from "../../src/api/generated/apps-v1.ts";
import { replicaSets } from "../../src/api/resources.ts";
import type { KeyQueue } from "../../src/machinery/controller.ts";
import { activePods, at, createRunning, namesOf, scale, statusOf } from "./workload.ts";
import { startInProcess } from "./fixture.ts";

/** A picker that answers when the test wants it to. */
function slowPicker() {
  let consultation: PickerProgress = { kind: "pending" };
  let queue: KeyQueue | undefined;
  const dismissed: string[] = [];
  const consultations: PickerPort<ReplicaSet> = {
    progressOf: () => consultation,
    isAsked: () => true,
    ask: () => undefined,
    settle: () => undefined,
    dismiss: (key) => void dismissed.push(key),
    synced: () => Promise.resolve(true),
    start(keys) {
      queue = keys;
      return () => undefined;
    },
  };
  const answer = (next: PickerProgress) => {
    consultation = next;
    queue?.add("default/web");
  };
  return { consultations, answer, dismissed };
}

test("a picker that takes its time holds nobody up, and its answer is the one that counts", async () => {
  const { consultations, answer } = slowPicker();
  const world = await startInProcess({ consultations });
  await createRunning(world, "web", { replicas: 3 });
  const [, second = ""] = namesOf(await activePods(world));
  await scale(world, "web", 2);
  expect(await activePods(world)).toHaveLength(3);
  expect(await statusOf(world, "web")).toMatchObject({ replicas: 3, observedGeneration: 2 });
  await createRunning(world, "other", { labels: { app: "other" } });
  expect(await activePods(world)).toHaveLength(4);

  answer({
    kind: "settled",
    outcome: { outcome: "Ranked", chosen: 1 },
    picks: { chosen: new Set([second]), tied: new Set() },
  });
  await world.clock.settle();
  expect(namesOf(await activePods(world))).not.toContain(second);
  expect(world.events.events.at(-1)?.message).toMatch(`Deleted pod: ${second} (picker: chosen, `);
  expect(world.records.find(at("web"))[0]?.picker).toEqual({ outcome: "Ranked", chosen: 1 });
});

test("a picker is no longer needed when the ReplicaSet grows again or goes", async () => {
  const { consultations, dismissed } = slowPicker();
  const world = await startInProcess({ consultations });
  await createRunning(world, "web", { replicas: 2 });
  await scale(world, "web", 1);
  dismissed.length = 0;
  await scale(world, "web", 2);
  expect(dismissed).toContain("default/web");

  await scale(world, "web", 1);
  dismissed.length = 0;
  await world.client.delete(replicaSets, at("web"));
  await world.clock.settle();
  expect(dismissed).toContain("default/web");
});
