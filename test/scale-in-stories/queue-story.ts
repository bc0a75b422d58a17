import { type Random, seededRandom } from "../../src/machinery/random/random.ts";
import { type Mode, startStory } from "./story-cluster.ts";

/** What an evening of a queue cost. */
export interface QueueResult {
  /** Workers that were removed in the middle of a job. */
  readonly busyRemoved: number;
  /** What they had done of these jobs, which begin anew. */
  readonly minutesLost: number;
  readonly podHours: number;
}

const stepMs = 10_000;
const minutes = 120;
const most = 20;
const least = 2;
/** The autoscaler lets a worker go for every fifth job, as with a target of more than one message per replica. */
const jobsPerWorker = 1.25;

interface Job {
  leftMs: number;
  readonly lengthMs: number;
}

/**
 * Jobs come in bursts; every worker takes one at a time. As KEDA does it, the size follows the jobs that there are, and so
 * it falls while some are still being worked on. A job whose worker goes begins anew.
 */
export async function playQueue(mode: Mode, seed: number): Promise<QueueResult> {
  const random = seededRandom(`queue ${seed}`);
  const running = new Map<string, Job>();
  const waiting: Job[] = [];
  const work = {
    isBusy: (name: string) => running.has(name),
    score: (name: string) => (running.has(name) ? 1 : 0),
  };
  const story = await startStory({ mode, seed, nodes: 10, replicas: least, work });
  const result = { busyRemoved: 0, minutesLost: 0, podHours: 0 };
  const autoscaler = following(story.scale);
  for (let step = 0; step < (minutes * 60_000) / stepMs; step++) {
    arrive(waiting, { minute: (step * stepMs) / 60_000, random });
    result.podHours += ((await story.all()).length * stepMs) / 3_600_000;
    const present = (await story.ready()).map(({ metadata }) => metadata.name).toSorted();
    for (const lost of workOn(running, new Set(present))) {
      result.busyRemoved += 1;
      result.minutesLost += (lost.lengthMs - lost.leftMs) / 60_000;
      waiting.unshift({ ...lost, leftMs: lost.lengthMs });
    }
    takeJobs(running, waiting, present);
    if (step % 6 === 0) await story.writeCosts();
    if (step % 3 === 0) await autoscaler(waiting.length + running.size, step);
    await story.cluster.clock.advance(stepMs);
  }
  await story.cluster.stop();
  return result;
}

/** Works for one step; returns the unfinished jobs of workers that are gone. */
function workOn(running: Map<string, Job>, present: ReadonlySet<string>): readonly Job[] {
  const lost: Job[] = [];
  for (const [name, job] of running) {
    job.leftMs -= stepMs;
    if (job.leftMs > 0 && present.has(name)) continue;
    running.delete(name);
    if (job.leftMs > 0) lost.push(job);
  }
  return lost;
}

function takeJobs(running: Map<string, Job>, waiting: Job[], present: readonly string[]): void {
  for (const name of present) {
    const next = running.has(name) ? undefined : waiting.shift();
    if (next !== undefined) running.set(name, next);
  }
}

/** An autoscaler: a smaller size has to be wanted for two minutes. */
function following(scale: (size: number) => Promise<void>) {
  let size = least;
  let highestAt = -Infinity;
  return async (jobs: number, step: number): Promise<void> => {
    const desired = Math.min(Math.max(Math.ceil(jobs / jobsPerWorker), least), most);
    if (desired >= size) highestAt = step;
    if (desired === size || (desired < size && step - highestAt < 12)) return;
    size = desired;
    await scale(size);
  };
}

/** A burst every forty minutes; jobs take four to sixteen minutes. */
function arrive(
  waiting: Job[],
  { minute, random }: { readonly minute: number; readonly random: Random },
): void {
  const rate = minute % 40 < 4 ? 1.2 : 0.01;
  if (random.next() >= rate % 1 && rate < 1) return;
  for (let job = 0; job < Math.ceil(rate); job++) {
    const lengthMs = Math.round((4 + random.next() * 12) * 60_000);
    waiting.push({ leftMs: lengthMs, lengthMs });
  }
}
