import { nodes, pods } from "../../src/api/resources.ts";
import type { SchedulerFixture } from "./fixture.ts";

/** Draws a whole number in [0, count). */
type Draw = (count: number) => number;

/** Lets the scheduler see nothing new of Pods, or of nodes. */
export function holdWatches({ scheduler }: SchedulerFixture, draw: Draw): void {
  scheduler.holdWatches(draw(2) === 0 ? pods : nodes);
}

/** Lets the scheduler see what it has missed; once in three times it has to list again. */
export function releaseWatches({ scheduler }: SchedulerFixture, draw: Draw): void {
  scheduler.releaseWatches(draw(3) === 0 ? new Error("the watch broke") : undefined);
}
