import { expect, test } from "vitest";
import { replicaSets } from "../../src/api/resources.ts";
import { type SimulatedPicker, simulatedConnector } from "../../src/picker/simulated-picker.ts";
import { type ReplicaSetFixture, startReplicaSetFixture } from "./fixture.ts";
import { activePods, at, createRunning, namesOf, patchReplicaSet, scale, statusOf } from "./workload.ts";

const downscalePodPicker = { http: { host: "picker", port: 80 }, timeoutSeconds: 20 };

/** A fixture with a running ReplicaSet `web`, whose picker answers after ten seconds. */
async function startWithPicker(pick: SimulatedPicker["pick"], replicas: number): Promise<ReplicaSetFixture> {
  const picker: SimulatedPicker = { pick, latencyMs: 10_000 };
  const fixture = await startReplicaSetFixture({
    pickerConnector: ({ clock }) => simulatedConnector(new Map([["picker", picker]]), clock),
  });
  await createRunning(fixture, "web", { replicas });
  await patchReplicaSet(fixture, "web", { spec: { downscalePodPicker } });
  return fixture;
}

test("a slow picker delays no other ReplicaSet, and its answer is the one that counts", async () => {
  let second = "";
  const fixture = await startWithPicker(() => ({ chosen_pods: [second] }), 3);
  [, second = ""] = namesOf(await activePods(fixture));
  await scale(fixture, "web", 2);
  expect(await activePods(fixture)).toHaveLength(3);
  expect(await statusOf(fixture, "web")).toMatchObject({ replicas: 3, observedGeneration: 3 });
  await createRunning(fixture, "other", { labels: { app: "other" } });
  expect(await activePods(fixture)).toHaveLength(4);

  await fixture.clock.advance(10_000);
  expect(namesOf(await activePods(fixture))).not.toContain(second);
  const deletions = fixture.events().filter(({ reason }) => reason === "SuccessfulDelete");
  expect(deletions.at(-1)?.message).toMatch(`Deleted pod: ${second} (picker: chosen, `);
  expect(fixture.removals.find(at("web"))[0]?.picker).toMatchObject({
    outcome: "Ranked",
    answered: { chosen: 1 },
  });
});

test.for([
  { when: "grows again", act: (fixture: ReplicaSetFixture) => scale(fixture, "web", 2) },
  {
    when: "is deleted",
    act: (fixture: ReplicaSetFixture) => fixture.client.delete(replicaSets, at("web")),
  },
])("a picker is no longer asked when the ReplicaSet $when", async ({ act }) => {
  let asked = 0;
  const fixture = await startWithPicker(() => {
    asked++;
    return { chosen_pods: [] };
  }, 2);
  await scale(fixture, "web", 1);
  await fixture.clock.advance(1000);
  await act(fixture);
  await fixture.clock.advance(60_000);
  expect(asked).toBe(0);
});
