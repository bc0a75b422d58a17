import { afterAll, beforeAll, expect, test } from "vitest";
import { events } from "../../src/api/resources.ts";
import { elapsedMs } from "../../src/machinery/clock/clock.ts";
import { WallClock } from "../../src/machinery/clock/wall-clock.ts";
import { eventually } from "./eventually.ts";
import { type RealCluster, startRealCluster } from "./real-cluster.ts";
import { type Scene, startScene } from "./scene.ts";
import { prepareSteer, startSteer } from "./steer-program.ts";
import type { TrimtabProgram } from "./trimtab-program.ts";

/** How long steer stands still, and how many steered Deployments ask meanwhile: more than there are workers. */
const hangMs = 15_000;
const steeredScenes = 12;

const clock = new WallClock();
let cluster: RealCluster;
let steer: TrimtabProgram;
beforeAll(async () => {
  const fast = ["--kube-api-qps=500", "--kube-api-burst=1000"];
  cluster = await startRealCluster({ controllers: "all", nodes: 3, controllerManagerFlags: fast });
  steer = await startSteer(await prepareSteer(cluster));
});
afterAll(() => cluster.stop());

const ordered = { "trimtab.dev/removal-order": "trimtab" };

/** How often our webhooks were called, by what came of it: a call that nobody answers is let pass. */
async function calls(): Promise<{ readonly all: number; readonly open: number }> {
  const text = await cluster.read("/metrics");
  const sum = (name: string) =>
    [...text.matchAll(new RegExp(`^${name}\\{[^}]*trimtab\\.dev[^}]*\\} (\\S+)$`, "gm"))].reduce(
      (total, [, value]) => total + Number(value),
      0,
    );
  return {
    all: sum("apiserver_admission_webhook_admission_duration_seconds_count"),
    open: sum("apiserver_admission_webhook_fail_open_count"),
  };
}

async function msOf(act: () => Promise<unknown>): Promise<number> {
  const start = elapsedMs(clock);
  await act();
  return elapsedMs(clock) - start;
}

/** The longest of twenty changes of labels and sizes of a Deployment that did not ask. */
async function longestOf(other: Scene): Promise<number> {
  const times: number[] = [];
  for (let time = 0; time < 20; time++) {
    times.push(await msOf(() => other.change({ replicas: 4 + (time % 2) })));
    await clock.sleep(50);
  }
  return Math.max(...times);
}

test("steer that stands still for fifteen seconds holds nobody who did not ask, and nothing for long", async () => {
  const steered = await Promise.all(
    Array.from({ length: steeredScenes }, (_, index) =>
      startScene(cluster, `steered-${index}`, { replicas: 4, annotations: ordered }),
    ),
  );
  const other = await startScene(cluster, "not-asked", { replicas: 4 });
  await Promise.all([...steered, other].map((scene) => scene.settled(4)));
  const before = await longestOf(other);
  await other.change({ replicas: 4 });
  await other.settled(4);
  process.kill(steer.pid, "SIGSTOP");
  const stoppedAt = clock.now();
  const callsBefore = await calls();
  const during = await longestOf(other);
  expect((await calls()).all).toBe(callsBefore.all);
  // An unsteered Deployment behind more steered ones than kube-controller-manager has workers.
  await Promise.all(steered.map((scene) => scene.change({ replicas: 2 })));
  const behind = await msOf(async () => {
    await other.change({ replicas: 2 });
    await other.settled(2);
  });
  await Promise.all(steered.map((scene) => scene.settled(2)));
  const all = clock.now() - stoppedAt;
  const { open } = await calls();
  if (all < hangMs) await clock.sleep(hangMs - all);
  process.kill(steer.pid, "SIGCONT");
  process.stdout.write(
    `a change of who did not ask: ${before.toFixed(0)} ms at most before, ${during.toFixed(0)} ms while steer hangs; ` +
      `an unsteered scale-down behind ${steeredScenes} steered ones: ${(behind / 1000).toFixed(1)} s; ` +
      `${open - callsBefore.open} requests passed after their timeout\n`,
  );
  // Each was let pass after the timeout of the webhook.
  expect(open - callsBefore.open).toBeGreaterThanOrEqual(steeredScenes);
  // Whoever was not steered is told when steer goes on.
  await eventually("ScaleDownMissed", async () => {
    const { items } = await cluster.client.list(events, {});
    const told = items.filter(
      ({ reason, involvedObject }) => reason === "ScaleDownMissed" && involvedObject.kind === "Deployment",
    );
    return told.length === steeredScenes ? true : undefined;
  });
});
