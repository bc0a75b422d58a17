import { expect, test } from "vitest";
import { podReplacementPolicyAnnotation } from "../../src/api/workload-settings.ts";
import { podCount, startPodCensus } from "./pod-census.ts";
import { startDeploymentFixture } from "./fixture.ts";
import { deployed, progressOf, revisions, scaleTo, setImage, sizes, statusOf, stored } from "./web.ts";

// An API server that knows neither the policy nor terminatingReplicas, as before Kubernetes 1.33: the controllers count
// the Pods they watch.
const before133 = {
  gates: { DeploymentPodReplacementPolicy: false, DeploymentReplicaSetTerminatingReplicas: false },
  controllerGates: {},
};
const annotations = { [podReplacementPolicyAnnotation]: "TerminationComplete" };

test("a scale waits for terminating Pods though the API server does not store their number", async () => {
  const fixture = await startDeploymentFixture(before133);
  await deployed(fixture, { replicas: 4, maxSurge: 0, maxUnavailable: 1, annotations, endsIn: "60s" });
  await scaleTo(fixture, 1);
  await fixture.clock.advance(5000);
  await scaleTo(fixture, 4);
  await fixture.clock.advance(5000);
  expect(await podCount(fixture)).toBe("1+3T");
  expect((await stored(fixture)).status?.conditions?.map(({ message }) => message)).toContainEqual(
    expect.stringContaining("3 of 4 Pods are still terminating; 4 allowed"),
  );
  await fixture.clock.advance(90_000);
  expect(await podCount(fixture)).toBe("4");
  expect(progressOf(await stored(fixture))).toBe("NewReplicaSetAvailable");
  expect(await statusOf(fixture)).not.toHaveProperty("terminatingReplicas");
});

test.for(["RollingUpdate", "Recreate"] as const)(
  "a rollout keeps to its budget though the API server does not count terminating Pods (%s)",
  async (strategy) => {
    const fixture = await startDeploymentFixture(before133);
    const spec = { revisionHistoryLimit: 1 };
    const traits = { replicas: 4, maxSurge: 1, annotations, endsIn: "60s", spec };
    await deployed(fixture, strategy === "Recreate" ? { ...traits, strategy } : traits);
    const census = await startPodCensus(fixture);
    for (const image of ["web:2", "web:3", "web:4"]) {
      await setImage(fixture, image, { endsIn: "60s" });
      await fixture.clock.advance(10 * 60_000);
      expect((await sizes(fixture))[0]).toBe(4);
    }
    expect(census.mostPods).toBe(strategy === "Recreate" ? 4 : 5);
    expect(progressOf(await stored(fixture))).toBe("NewReplicaSetAvailable");
    expect(await revisions(fixture)).toHaveLength(2);
    expect(fixture.log.entries.filter(({ level }) => level === "warn" || level === "error")).toEqual([]);
  },
);
