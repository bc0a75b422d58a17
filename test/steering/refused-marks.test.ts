import { describe, expect, test } from "vitest";
import { pods } from "../../src/api/resources.ts";
import { apiFailure } from "../../src/machinery/client/api-error.ts";
import { web } from "../deployment/builders.ts";
import {
  activePods,
  at,
  deploy,
  eventsOf,
  markedPods,
  namesOf,
  scale,
  startSteering,
  type VirtualSteering,
} from "./virtual.ts";

const annotations = { "trimtab.dev/removal-order": "trimtab" };
const denied = apiFailure(
  422,
  "Invalid",
  'pods "web" is forbidden: ValidatingAdmissionPolicy "no-costs" with binding "all" denied request: costs are ours',
);
const forbidden = apiFailure(403, "Forbidden", 'pods "web" is forbidden: User "steer" cannot patch resource');

/** Eight Pods, of which the last by name is to go. */
async function start() {
  const steered = await startSteering();
  await deploy(steered, web({ replicas: 8, annotations }));
  const names = namesOf(await activePods(steered));
  const [copy] = steered.copies;
  if (copy === undefined) throw new Error("no copy runs");
  const body = { metadata: { labels: { "kubernetes.io/prefer-for-scale-down": "" } } };
  await steered.client.patch(pods, at(names[7] ?? ""), { type: "merge", body });
  await steered.clock.settle();
  const refusePatches = (error: Error) =>
    copy.line.failRequests(({ verb, collection }) =>
      verb === "patch" && collection === "pods" ? error : undefined,
    );
  return { steered, refusePatches };
}

const failedMarks = ({ metrics }: VirtualSteering) =>
  metrics.value("trimtab_steer_marks_total", { what: "failed" });

describe("a mark that is refused", () => {
  test.each([
    ["by a policy", denied, "denied by a policy: "],
    ["for want of rights", forbidden, "forbidden: "],
  ])("%s is no Pod that is gone: the event says the cause", async (_, error, cause) => {
    const { steered, refusePatches } = await start();
    refusePatches(error);
    await scale(steered, 7);
    await steered.clock.advance(20_000);
    const [said = ""] = await eventsOf(steered, "ScaleDownNotSteered", "ReplicaSet");
    expect(said).toContain(`1 Pods could not be marked: ${cause}`);
    expect(said).toContain(error.message);
    expect(failedMarks(steered)).toBeGreaterThan(0);
  });
});

test("a mark whose removal a policy denies is told, and removed once it may be", async () => {
  const { steered, refusePatches } = await start();
  steered.refuse(() => true);
  await scale(steered, 7);
  await steered.clock.settle();
  expect(await markedPods(steered)).toHaveLength(1);
  const allow = refusePatches(denied);
  await steered.clock.advance(60_000);
  const [said = ""] = await eventsOf(steered, "MarkNotUndone");
  expect(said).toContain("denied by a policy: ");
  allow();
  steered.refuse(() => false);
  await scale(steered, 8);
  await steered.clock.advance(120_000);
  expect(await markedPods(steered)).toEqual([]);
});
