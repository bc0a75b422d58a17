import { describe, expect, test } from "vitest";
import type { Pod } from "../../../api/generated/core-v1.ts";
import { formatTime } from "../../../api/time.ts";
import { stepPod } from "./lifecycle.ts";
import { defaultPodBehaviour, type PodBehaviour } from "../behaviour/pod-behaviour.ts";
import { type PodStage, requeueAt } from "./pod-stage.ts";

const start = 1_767_225_600_000;

interface Given {
  readonly image?: string;
  readonly probe?: { readonly initialDelaySeconds: number };
  readonly deletedWithGrace?: number;
  readonly phase?: string;
  readonly ready?: boolean;
  readonly restartPolicy?: string;
  /** The restart policies of its init containers; absent: none. */
  readonly initContainers?: readonly (string | undefined)[];
}

function podWith(given: Given): Pod {
  const { image = "nginx", probe, deletedWithGrace, phase = "Pending", ready = false } = given;
  const { restartPolicy = "Always", initContainers = [] } = given;
  const deletion =
    deletedWithGrace === undefined ? {} : { deletionTimestamp: formatTime(start + deletedWithGrace * 1000) };
  return {
    metadata: { name: "web", namespace: "default", uid: "u", resourceVersion: "1", ...deletion },
    spec: {
      nodeName: "node-1",
      restartPolicy,
      initContainers: initContainers.map((policy, index) => ({
        name: `init-${index}`,
        image: "busybox",
        ...(policy !== undefined && { restartPolicy: policy }),
      })),
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
    const next = stepPod(stage, { pod, behaviour: { ...defaultPodBehaviour, ...behaviour }, now });
    if (next !== stage) seen.push(`${describeStage(next)}@${now - start}`);
    // A stage that was entered may pass at the same instant.
    const at = next === stage ? requeueAt(next) : now;
    stage = next;
    if (at === undefined) break;
    now = Math.max(now, at);
  }
  return seen;
}

function describeStage(stage: PodStage): string {
  if (stage.name === "initializing") return `${stage.name} ${stage.index}`;
  if (stage.name === "failed") return `${stage.name} ${stage.reason}`;
  if (!("exit" in stage && "restarts" in stage)) return stage.name;
  return `${stage.name} ${stage.exit.exitCode} ${stage.exit.reason} ${stage.restarts}`;
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
    {
      name: "that is not restarted completes by itself",
      given: { restartPolicy: "Never" },
      want: ["admitted@0", "running@500", "ready@500", "exited 0 Completed 0@1500"],
    },
    {
      name: "that is restarted only on failure completes by itself too",
      given: { restartPolicy: "OnFailure" },
      want: ["admitted@0", "running@500", "ready@500", "exited 0 Completed 0@1500"],
    },
    {
      name: "completes when its behaviour says",
      given: { restartPolicy: "Never" },
      behaviour: { completeAfterMs: 7000 },
      want: ["admitted@0", "running@500", "ready@500", "exited 0 Completed 0@7500"],
    },
    {
      name: "never completes when its behaviour says so",
      given: { restartPolicy: "Never" },
      behaviour: { completeAfterMs: Number.POSITIVE_INFINITY },
      want: ["admitted@0", "running@500", "ready@500"],
    },
    {
      name: "that completes before it is ready never is",
      given: { restartPolicy: "Never" },
      behaviour: { readyDelayMs: 5000 },
      want: ["admitted@0", "running@500", "exited 0 Completed 0@1500"],
    },
    {
      name: "that is always restarted starts again after it has completed",
      given: {},
      behaviour: { completeAfterMs: 1000 },
      want: [
        "admitted@0",
        "running@500",
        "ready@500",
        "crash-back-off 0 Completed 1@1500",
        "running@11500",
        "ready@11500",
        "crash-back-off 0 Completed 2@12500",
      ],
      horizonMs: 20_000,
    },
    {
      name: "that is never restarted fails with the exit code of its crash",
      given: { restartPolicy: "Never" },
      behaviour: { crashExitCode: 3 },
      want: ["admitted@0", "running@500", "ready@500", "exited 3 Error 0@1500"],
    },
    {
      name: "that runs out of memory is killed",
      given: { restartPolicy: "Never" },
      behaviour: { outOfMemory: true, crashAfterMs: 200 },
      want: ["admitted@0", "running@500", "ready@500", "exited 137 OOMKilled 0@700"],
    },
    {
      name: "that crashes once is restarted, and completes then",
      given: { restartPolicy: "OnFailure" },
      behaviour: { crashAfterMs: 100, completeAfterMs: 4000 },
      want: [
        "admitted@0",
        "running@500",
        "ready@500",
        "crash-back-off 1 Error 1@600",
        "running@10600",
        "ready@10600",
        "exited 0 Completed 1@14600",
      ],
    },
    {
      name: "in a crash loop waits longer each time",
      given: {},
      behaviour: { crashLoop: Number.POSITIVE_INFINITY, crashAfterMs: 0 },
      want: [
        "admitted@0",
        "running@500",
        "crash-back-off 1 Error 1@500",
        "running@10500",
        "crash-back-off 1 Error 2@10500",
        "running@30500",
        "crash-back-off 1 Error 3@30500",
        "running@70500",
        "crash-back-off 1 Error 4@70500",
      ],
      horizonMs: 100_000,
    },
    {
      name: "that ran well for ten minutes is restarted soon again",
      given: {},
      behaviour: { crashLoop: Number.POSITIVE_INFINITY, crashAfterMs: 600_000 },
      want: [
        "admitted@0",
        "running@500",
        "ready@500",
        "crash-back-off 1 Error 1@600500",
        "running@610500",
        "ready@610500",
        "crash-back-off 1 Error 2@1210500",
        "running@1220500",
        "ready@1220500",
      ],
      horizonMs: 1_300_000,
    },
    {
      name: "runs its init containers one after the other",
      given: { initContainers: [undefined, "Always", undefined] },
      want: [
        "admitted@0",
        "initializing 0@500",
        "initializing 1@600",
        "initializing 2@700",
        "running@800",
        "ready@800",
      ],
    },
    {
      name: "whose init container fails tries it again",
      given: { initContainers: ["Always", undefined] },
      behaviour: { initExitCode: 2 },
      want: [
        "admitted@0",
        "initializing 0@500",
        "initializing 1@600",
        "init-back-off 2 Error 1@700",
        "initializing 1@10700",
        "init-back-off 2 Error 2@10800",
      ],
      horizonMs: 20_000,
    },
    {
      name: "that is never restarted fails with its init container",
      given: { initContainers: [undefined], restartPolicy: "Never" },
      behaviour: { initExitCode: 2 },
      want: ["admitted@0", "initializing 0@500", "exited 2 Error 0@600"],
    },
    {
      name: "flaps between ready and not ready",
      given: {},
      behaviour: { readyFlapMs: 5000 },
      want: ["admitted@0", "running@500", "ready@500", "running@5500", "ready@10500", "running@15500"],
      horizonMs: 20_000,
    },
    {
      name: "is evicted by its kubelet",
      given: {},
      behaviour: { evictAfterMs: 5000 },
      want: ["admitted@0", "running@500", "ready@500", "failed Evicted@5500"],
    },
    {
      name: "stays terminal for as long as its removal takes",
      given: { deletedWithGrace: 30, phase: "Running", ready: true },
      behaviour: { removalDelayMs: 4000 },
      want: ["terminating@0", "ended@1000", "removed@5000"],
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
    const run = { since: start, restarts: 0, backOffs: 0 };
    const ready: PodStage = { name: "ready", until: undefined, run, since: start };
    const first = stepPod(ready, { pod: podWith({ deletedWithGrace: 30 }), behaviour, now: start });
    expect(first).toMatchObject({ name: "terminating", until: start + 30_000, killed: true });
    const sooner = stepPod(first, {
      pod: podWith({ deletedWithGrace: 5 }),
      behaviour,
      now: start + 1000,
    });
    expect(requeueAt(sooner)).toBe(start + 5000);
    const later = stepPod(sooner, {
      pod: podWith({ deletedWithGrace: 60 }),
      behaviour,
      now: start + 1000,
    });
    expect(later).toBe(sooner);
  });

  test("deleted before it ran still ends in order", () => {
    const deleted = podWith({ deletedWithGrace: 30 });
    const stage = stepPod(
      { name: "admitted", until: start + 500 },
      { pod: deleted, behaviour: defaultPodBehaviour, now: start },
    );
    expect(stage).toMatchObject({ name: "terminating", until: start + 1000, killed: false });
  });
});
