import type { Random } from "../../machinery/random/random.ts";
import { requestFaults } from "./request-faults.ts";
import { watchFaults } from "./watch-faults.ts";

/** The lowest and the highest probability of a fault that is injected at all. */
const ranges: Readonly<Record<string, readonly [number, number]>> = {
  "slow-request": [0.05, 0.6],
  "delayed-watch": [0.05, 0.6],
  "stalled-watch": [0.002, 0.02],
};
const usualRange = [0.005, 0.1] as const;

/**
 * Draws the probability of each request and watch fault in one trial. Half of them are never injected: what one fault
 * brings to light another one hides, so trials have to differ as much as they can.
 */
export function drawProbabilities(random: Random): ReadonlyMap<string, number> {
  const probabilities = new Map<string, number>();
  for (const { name } of [...requestFaults, ...watchFaults]) {
    const [least, most] = ranges[name] ?? usualRange;
    const probability = least * (most / least) ** random.next();
    probabilities.set(name, random.next() < 0.5 ? probability : 0);
  }
  return probabilities;
}
