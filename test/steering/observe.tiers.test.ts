import { describe, expect, test } from "vitest";
import { deployments, namespaces, pods } from "../../src/api/resources.ts";
import { randomInt, seededRandom } from "../../src/machinery/random/random.ts";
import { web } from "../deployment/builders.ts";
import { perTier } from "../tier.ts";
import {
  activePods,
  at,
  deploy,
  eventsOf,
  markedPods,
  namesOf,
  replicaSetsOf,
  roll,
  scale,
  startSteering,
  type VirtualSteering,
} from "./virtual.ts";

const annotations = {
  "trimtab.dev/removal-order": "trimtab",
  "trimtab.dev/pod-replacement-policy": "TerminationComplete",
};

/** The requests of all copies that write something else than events. */
const writesOf = ({ copies }: VirtualSteering) =>
  copies.flatMap(({ line }) =>
    line.requests.filter(
      ({ verb, collection }) =>
        !["get", "list", "watch"].includes(verb) &&
        !collection.startsWith("events") &&
        !collection.includes("webhookconfigurations"),
    ),
  );

const prefer = (steered: VirtualSteering, name: string) =>
  steered.client.patch(pods, at(name), {
    type: "merge",
    body: { metadata: { labels: { "kubernetes.io/prefer-for-scale-down": "" } } },
  });

const rounds = perTier({ unit: 3, full: 50 });

describe("mode observe", () => {
  test("says who would go beside who goes, and writes nothing but events", async () => {
    const steered = await startSteering({ mode: "observe" });
    await deploy(steered, web({ replicas: 8, annotations }));
    const all = namesOf(await activePods(steered));
    await prefer(steered, all[5] ?? "");
    await scale(steered, 7);
    await steered.clock.advance(60_000);
    expect(await activePods(steered)).toHaveLength(7);
    for (const kind of ["ReplicaSet", "Deployment"] as const) {
      const [said = ""] = await eventsOf(steered, "WouldRemove", kind);
      expect(said).toContain(all[5]);
    }
    expect(steered.observations).toEqual([
      expect.objectContaining({ kind: "removal", workload: "default/web", wouldRemove: [all[5]] }),
    ]);
    expect(writesOf(steered)).toEqual([]);
    expect(await eventsOf(steered, "ScaleDownMissed")).toEqual([]);
  });

  test("says where growth exceeds the budget that terminating Pods are part of", async () => {
    const steered = await startSteering({ mode: "observe" });
    await deploy(steered, web({ replicas: 4, maxSurge: 1, maxUnavailable: 1, annotations, endsIn: "20s" }));
    await roll(steered, { endsIn: "20s" });
    await steered.clock.advance(90_000);
    const [said = ""] = await eventsOf(steered, "WouldCapGrowth");
    expect(said).toMatch(
      /^Deployment web: Would admit \d+ of the \d+ pods that web-\w+ asks for: .* terminating, 4 \+ 1 allowed$/,
    );
    expect(steered.observations.some(({ kind }) => kind === "growth")).toBe(true);
    expect(writesOf(steered)).toEqual([]);
  });

  test(`for ${rounds * 20} decisions makes no request but records and events`, async () => {
    const steered = await startSteering({ mode: "observe", nodes: 2 });
    const names = Array.from({ length: 20 }, (_, index) => `web-${index}`);
    for (const name of names)
      await steered.client.create(deployments, web({ name, replicas: 6, annotations }));
    await steered.clock.advance(20_000);
    const random = seededRandom("observe");
    for (let round = 0; round < rounds; round++) {
      for (const name of names) await scale(steered, 2 + randomInt(random, 3), name);
      await steered.clock.advance(5000);
      for (const name of names) await scale(steered, 6, name);
      await steered.clock.advance(15_000);
    }
    expect(writesOf(steered)).toEqual([]);
    expect(steered.observations.filter(({ kind }) => kind === "removal").length).toBeGreaterThanOrEqual(
      rounds * 20,
    );
  }, 300_000);
});

test.each([
  ["the configuration", "observe", undefined, undefined, false],
  ["a namespace, against the configuration", "observe", "enforce", undefined, true],
  ["a workload, against its namespace", "enforce", "enforce", "observe", false],
  ["a workload, against the configuration", "observe", undefined, "enforce", true],
  ["off in the configuration, against all", "off", "enforce", "enforce", false],
  ["off of a workload", "enforce", undefined, "off", false],
] as const)("the mode is that of %s", async (_, mode, ofNamespace, ofWorkload, isSteered) => {
  const steered = await startSteering({ mode });
  if (ofNamespace !== undefined)
    await steered.client.patch(
      namespaces,
      { name: "default" },
      {
        type: "merge",
        body: { metadata: { labels: { "trimtab.dev/mode": ofNamespace } } },
      },
    );
  const own: Record<string, string> = ofWorkload === undefined ? {} : { "trimtab.dev/mode": ofWorkload };
  await deploy(steered, web({ replicas: 6, annotations: { ...annotations, ...own } }));
  const [first = ""] = namesOf(await activePods(steered));
  await prefer(steered, first);
  await scale(steered, 5);
  await steered.clock.advance(60_000);
  expect((await eventsOf(steered, "ScaleDownSteered")).length > 0).toBe(isSteered);
  expect(writesOf(steered).length > 0).toBe(isSteered);
});

test("switching to observe ends what is deferred, and undoes marks", async () => {
  const steered = await startSteering();
  await deploy(steered, web({ replicas: 6, annotations }));
  const [first = ""] = namesOf(await activePods(steered));
  await prefer(steered, first);
  steered.refuse(() => true);
  await scale(steered, 5);
  await steered.clock.advance(1000);
  expect(await markedPods(steered)).toHaveLength(1);
  const body = { metadata: { annotations: { "trimtab.dev/mode": "observe" } } };
  await steered.client.patch(deployments, at("web"), { type: "merge", body });
  steered.refuse(() => false);
  await steered.clock.advance(60_000);
  expect(await markedPods(steered)).toEqual([]);
  expect(await activePods(steered)).toHaveLength(5);
  expect(
    (await replicaSetsOf(steered)).map(({ metadata }) => metadata.labels?.["trimtab.dev/deferred"]),
  ).toEqual([undefined]);
});
