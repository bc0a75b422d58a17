import { expect, test } from "vitest";
import { replicaSets } from "../../src/api/resources.ts";
import { runController } from "../../src/machinery/controller.ts";
import { silentLogger } from "../../src/machinery/log/logger.ts";
import { looseReplicaSet, web } from "../deployment/builders.ts";
import {
  activePods,
  at,
  deploy,
  eventsOf,
  isRolled,
  roll,
  scale,
  startSteering,
  type VirtualSteering,
} from "./virtual.ts";

const picker = (timeoutSeconds: number) => ({
  "trimtab.dev/downscale-pod-picker": JSON.stringify({
    http: { host: "picker", port: 80 },
    timeoutSeconds,
    maxRetries: 0,
  }),
});

const count = ({ metrics }: VirtualSteering, cause: string) =>
  metrics.value("trimtab_steer_wishes_unfulfilled_total", { cause });

/** The event of a cause is on the ReplicaSet and on its Deployment. */
async function saidOfBoth(steered: VirtualSteering, cause: string): Promise<void> {
  for (const kind of ["ReplicaSet", "Deployment"] as const) {
    const said = await eventsOf(steered, "ScaleDownNotSteered", kind);
    expect(said.filter((each) => each.endsWith(`(${cause})`)).length).toBeGreaterThan(0);
  }
  expect(count(steered, cause)).toBeGreaterThan(0);
}

test("a picker that fails is an event with the cause, and counted", async () => {
  const steered = await startSteering({ pickers: { picker: { pick: () => ({}), latencyMs: 60_000 } } });
  await deploy(steered, web({ replicas: 4, annotations: picker(1) }));
  await scale(steered, 2);
  await steered.clock.advance(30_000);
  await saidOfBoth(steered, "PickerFailed");
});

test("a scale-down of which too many were asked for is an event with the cause, and counted", async () => {
  const steered = await startSteering();
  const annotations = { "trimtab.dev/removal-order": "trimtab" };
  await steered.client.create(replicaSets, looseReplicaSet("web", { replicas: 14, annotations }));
  await steered.clock.advance(20_000);
  const resize = (replicas: number) =>
    steered.client.patch(replicaSets, at("web"), { type: "merge", body: { spec: { replicas } } });
  for (let time = 0; time < 40; time++) {
    await resize(13 - (time % 10));
    await steered.clock.advance(10);
    await resize(14);
    await steered.clock.advance(900);
  }
  const [said = ""] = await eventsOf(steered, "ScaleDownNotSteered", "ReplicaSet");
  expect(said).toMatch(/\(RateLimited\)$/);
  expect(count(steered, "RateLimited")).toBeGreaterThan(0);
  expect(await activePods(steered)).toHaveLength(14);
});

test("a scale-down about which nothing can be read is an event with the cause, and counted", async () => {
  const steered = await startSteering();
  await deploy(steered, web({ replicas: 4, annotations: { "trimtab.dev/removal-order": "trimtab" } }));
  steered.copies[0]?.line.failRequests(({ verb, collection }) =>
    verb === "get" && collection === "deployments.apps" ? new Error("no route") : undefined,
  );
  await scale(steered, 2);
  await steered.clock.advance(30_000);
  await saidOfBoth(steered, "Failed");
  expect(await activePods(steered)).toHaveLength(2);
});

test("what is decided is said of the Deployment, too", async () => {
  const steered = await startSteering();
  await deploy(steered, web({ replicas: 4, annotations: { "trimtab.dev/removal-order": "trimtab" } }));
  await scale(steered, 2);
  await steered.clock.advance(30_000);
  const [said = ""] = await eventsOf(steered, "ScaleDownSteered", "Deployment");
  expect(said).toContain("Deployment web: Removing 2 of 4 pods");
});

test("a scale-down that the API server let pass while nothing answered is noticed afterwards", async () => {
  const steered = await startSteering();
  await deploy(steered, web({ replicas: 6, annotations: { "trimtab.dev/removal-order": "trimtab" } }));
  await scale(steered, 5);
  await steered.clock.advance(30_000);
  expect(await eventsOf(steered, "ScaleDownMissed")).toEqual([]);
  // Its webhook is not reached, and its watches go on.
  const answering = steered.copies.splice(0);
  await scale(steered, 3);
  await steered.clock.advance(30_000);
  steered.copies.push(...answering);
  for (const kind of ["ReplicaSet", "Deployment"] as const) {
    const [said = ""] = await eventsOf(steered, "ScaleDownMissed", kind);
    expect(said).toContain("Scaled down from 5 to 3 without trimtab steer having been asked");
  }
  expect(count(steered, "NotAsked")).toBe(1);
  await scale(steered, 2);
  await steered.clock.advance(30_000);
  expect(count(steered, "NotAsked")).toBe(1);
});

test("a scale-down that passed while the copy that led did not answer is told by the next leader", async () => {
  const steered = await startSteering({ copies: 2 });
  await deploy(steered, web({ replicas: 6, annotations: { "trimtab.dev/removal-order": "trimtab" } }));
  const [leader, follower] = steered.copies.splice(0);
  await leader?.kill();
  await scale(steered, 3);
  await steered.clock.advance(20_000);
  expect(await eventsOf(steered, "ScaleDownMissed")).toEqual([]);
  const telling = follower?.steering.leading.find(({ name }) => name === "steering-missed");
  if (follower === undefined || telling === undefined) throw new Error("nobody follows");
  const ending = new AbortController();
  const running = runController(telling, { clock: steered.clock, log: silentLogger }, ending.signal);
  await steered.clock.advance(10_000);
  expect(await eventsOf(steered, "ScaleDownMissed")).toHaveLength(2);
  ending.abort(new Error("the test is over"));
  await running;
  await follower.kill();
});

test("a policy that the API server knows itself is left to the cluster, which is said once", async () => {
  const steered = await startSteering({ gates: { DeploymentPodReplacementPolicy: true } });
  const annotations = { "trimtab.dev/pod-replacement-policy": "TerminationComplete" };
  await deploy(steered, web({ replicas: 4, policy: "TerminationStarted", annotations, endsIn: "20s" }));
  await roll(steered, { endsIn: "20s" });
  await steered.clock.advance(90_000);
  expect(await isRolled(steered, 4)).toBe(true);
  expect(await eventsOf(steered, "GrowthCapped")).toEqual([]);
  expect(await eventsOf(steered, "PolicyServed")).toEqual([
    expect.stringContaining("Deployment web: spec.podReplacementPolicy is fulfilled by the cluster itself"),
  ]);
});
