import { describe, expect, test } from "vitest";
import type { Pod } from "../../api/generated/core-v1.ts";
import { formatTime } from "../../api/time.ts";
import { type PodStage, step, requeueAt } from "./lifecycle.ts";
import { defaultPodBehaviour, type PodBehaviour } from "./pod-behaviour.ts";

const start = 1_767_225_600_000;

interface Given {
  readonly image?: string;
  readonly probe?: { readonly initialDelaySeconds: number };
  readonly deletedWithGrace?: number;
  readonly phase?: string;
  readonly ready?: boolean;
}

function podWith({ image = "nginx", probe, deletedWithGrace, phase = "Pending", ready = false }: Given): Pod {
  const deletion =
    deletedWithGrace === undefined ? {} : { deletionTimestamp: formatTime(start + deletedWithGrace * 1000) };
  return {
    metadata: { name: "web", namespace: "default", uid: "u", resourceVersion: "1", ...deletion },
    spec: {
      nodeName: "node-1",
      containers: [{ name: "c", image, ...(probe === undefined ? {} : { readinessProbe: probe }) }],
    },
    status: { phase, conditions: [{ type: "Ready", status: ready ? "True" : "False" }] },
  };
}

/** Steps until nothing moves for `horizonMs` and gives the names of the stages with the time each was entered. */
function play(pod: Pod, behaviour: Partial<PodBehaviour> = {}, horizonMs = 3_600_000): string[] {
  const seen: string[] = [];
  let now = start;
  let stage: PodStage | undefined;
  while (now <= start + horizonMs && seen.length < 12) {
    const next = step(stage, { pod, behaviour: { ...defaultPodBehaviour, ...behaviour }, now });
    if (next !== stage) seen.push(`${next.name}@${now - start}`);
    stage = next;
    const at = requeueAt(next);
    if (at === undefined) break;
    now = Math.max(now, at);
  }
  return seen;
}

describe("a simulated Pod", () => {
  test.for([
    { name: "starts and becomes ready", given: {}, want: ["admitted@0", "running@500", "ready@500"] },
    {
      name: "starts when its behaviour says",
      given: {},
      behaviour: { startDelayMs: 3000 },
      want: ["admitted@0", "running@3000", "ready@3000"],
    },
    {
      name: "becomes ready later when told so",
      given: {},
      behaviour: { readyDelayMs: 2000 },
      want: ["admitted@0", "running@500", "ready@2500"],
    },
    {
      name: "waits for its readiness probe",
      given: { probe: { initialDelaySeconds: 5 } },
      want: ["admitted@0", "running@500", "ready@5500"],
    },
    {
      name: "never becomes ready when told so",
      given: {},
      behaviour: { neverReady: true },
      want: ["admitted@0", "running@500"],
    },
    {
      name: "backs off from an image that is not there, longer each time",
      given: { image: "web:404" },
      want: [
        "admitted@0",
        "image-back-off@500",
        "image-back-off@10500",
        "image-back-off@30500",
        "image-back-off@70500",
      ],
      horizonMs: 100_000,
    },
    {
      name: "pulls whatever its annotation says can be pulled",
      given: { image: "web:404" },
      behaviour: { imagePull: "ok" as const },
      want: ["admitted@0", "running@500", "ready@500"],
    },
    {
      name: "ends in its own time after a delete, is terminal for a moment, then goes",
      given: { deletedWithGrace: 30, phase: "Running", ready: true },
      want: ["terminating@0", "ended@1000", "removed@1050"],
    },
    {
      name: "is killed when its time is longer than the grace period",
      given: { deletedWithGrace: 2, phase: "Running" },
      behaviour: { terminationDelayMs: 60_000 },
      want: ["terminating@0", "ended@2000", "removed@2050"],
    },
    {
      name: "is killed at the end of the grace period when it ignores SIGTERM",
      given: { deletedWithGrace: 30, phase: "Running" },
      behaviour: { ignoreSigterm: true },
      want: ["terminating@0", "ended@30000", "removed@30050"],
    },
    {
      name: "never ends when it is stuck",
      given: { deletedWithGrace: 1, phase: "Running" },
      behaviour: { stuckTerminating: true },
      want: ["terminating@0"],
    },
    {
      name: "found ready after a restart stays ready",
      given: { phase: "Running", ready: true },
      want: ["ready@0"],
    },
    {
      name: "found running after a restart becomes ready",
      given: { phase: "Running" },
      want: ["running@0", "ready@0"],
    },
    {
      name: "found terminal and deleted after a restart is removed",
      given: { deletedWithGrace: 0, phase: "Succeeded" },
      want: ["ended@0", "removed@50"],
    },
  ] as const)("$name", (row) => {
    expect(
      play(
        podWith(row.given),
        "behaviour" in row ? row.behaviour : {},
        "horizonMs" in row ? row.horizonMs : undefined,
      ),
    ).toEqual(row.want);
  });

  test("ends sooner when a second delete shortens its grace, and never later", () => {
    const behaviour = { ...defaultPodBehaviour, ignoreSigterm: true };
    const first = step({ name: "ready" }, { pod: podWith({ deletedWithGrace: 30 }), behaviour, now: start });
    expect(first).toMatchObject({ name: "terminating", until: start + 30_000, killed: true });
    const sooner = step(first, {
      pod: podWith({ deletedWithGrace: 5 }),
      behaviour,
      now: start + 1000,
    });
    expect(requeueAt(sooner)).toBe(start + 5000);
    const later = step(sooner, {
      pod: podWith({ deletedWithGrace: 60 }),
      behaviour,
      now: start + 1000,
    });
    expect(later).toBe(sooner);
  });

  test("deleted before it ran still ends in order", () => {
    const deleted = podWith({ deletedWithGrace: 30 });
    const stage = step(
      { name: "admitted", until: start + 500 },
      { pod: deleted, behaviour: defaultPodBehaviour, now: start },
    );
    expect(stage).toMatchObject({ name: "terminating", until: start + 1000, killed: false });
  });
});
