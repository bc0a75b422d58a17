import { expect, test } from "vitest";
import { web } from "../deployment/builders.ts";
import { deploy, isRolled, roll, startSteering } from "./virtual.ts";

const complete = { "trimtab.dev/pod-replacement-policy": "TerminationComplete" };
const endsSeconds = 20;
const endsIn = `${endsSeconds}s`;

interface Shape {
  readonly replicas: number;
  readonly maxSurge: number | string;
  readonly maxUnavailable: number | string;
}

/** For how long a rollout of this shape goes on, in milliseconds. */
async function durationOf(shape: Shape, isSteered: boolean): Promise<number> {
  const steered = await startSteering();
  await deploy(steered, web({ ...shape, annotations: complete, endsIn }));
  if (!isSteered) await steered.takeDown();
  const before = steered.clock.now();
  await roll(steered, { endsIn });
  while (!(await isRolled(steered, shape.replicas)) && steered.clock.now() < before + 300_000)
    await steered.clock.advance(250);
  return steered.clock.now() - before;
}

test.each<Shape & { readonly waits: number }>([
  { replicas: 8, maxSurge: 2, maxUnavailable: 2, waits: 1 },
  { replicas: 3, maxSurge: "25%", maxUnavailable: "25%", waits: 2 },
  { replicas: 12, maxSurge: "25%", maxUnavailable: "25%", waits: 1 },
])(
  "$replicas replicas at $maxSurge/$maxUnavailable: a rollout takes at most half as long again as without steer, but for $waits waits for Pods to end",
  async ({ waits, ...shape }) => {
    const [steered, stock] = [await durationOf(shape, true), await durationOf(shape, false)];
    expect(steered).toBeLessThanOrEqual(stock * 1.5 + waits * endsSeconds * 1000);
  },
);
