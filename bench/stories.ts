import { writeFileSync } from "node:fs";
import { type BarGroup, drawBars } from "../test/scale-in-stories/draw-bars.ts";
import { playInference } from "../test/scale-in-stories/inference-story.ts";
import { playQueue } from "../test/scale-in-stories/queue-story.ts";
import { type Mode, modes } from "../test/scale-in-stories/story-cluster.ts";
import type { Measure } from "./measure.ts";

type Result = Readonly<Record<string, number>>;

interface Story {
  readonly name: string;
  readonly title: string;
  readonly play: (mode: Mode, seed: number) => Promise<Result>;
  readonly measures: Readonly<Record<string, string>>;
}

const seeds = Number(process.env["BENCH_SEEDS"] ?? 5);

const stories: readonly Story[] = [
  {
    name: "scale-in-queue",
    title: "Two hours of a queue: medians of",
    play: async (...how) => ({ ...(await playQueue(...how)) }),
    measures: {
      busyRemoved: "workers removed in the middle of a job",
      minutesLost: "minutes of work lost",
      podHours: "Pod-hours",
    },
  },
  {
    name: "scale-in-inference",
    title: "Two hours of a model on 14 GPUs: medians of",
    play: async (...how) => ({ ...(await playInference(...how)) }),
    measures: {
      requestsCut: "requests cut by scale-in",
      cacheHitsLost: "conversations that lost their prefix cache by scale-in",
      mostGpus: "the most Pods at a time in a rollout (GPUs: 14)",
      podHours: "Pod-hours",
    },
  },
];

/** What scale-in costs a queue and a model, by who decides; with 100 seeds or more the pictures of the docs are drawn anew. */
export async function playStories(): Promise<readonly Measure[]> {
  const measures: Measure[] = [];
  for (const story of stories) {
    const results = new Map<Mode, Result[]>();
    for (const mode of modes) {
      const played: Result[] = [];
      for (let seed = 1; seed <= seeds; seed++) played.push(await story.play(mode, seed));
      results.set(mode, played);
    }
    const groups = Object.entries(story.measures).map(([key, title]): BarGroup => ({
      title,
      bars: modes.map((mode) => ({ label: mode, value: medianOf(results.get(mode) ?? [], key) })),
    }));
    for (const { title, bars } of groups)
      for (const { label, value } of bars)
        measures.push({ what: `${story.name}, ${label}: ${title}`, value, unit: "" });
    if (seeds >= 100) draw(story, groups);
  }
  return measures;
}

function medianOf(results: readonly Result[], key: string): number {
  const values = results.map((result) => result[key] ?? 0).toSorted((a, b) => a - b);
  const middle = values.length / 2;
  const [low = 0, high = 0] = [values[Math.ceil(middle) - 1], values[Math.floor(middle)]];
  return Math.round(((low + high) / 2) * 10) / 10;
}

function draw({ name, title }: Story, groups: readonly BarGroup[]): void {
  // Compiled, this file is a folder deeper: benches run at the root of the repository.
  writeFileSync(`docs/measurements/${name}.svg`, drawBars(`${title} ${seeds} seeds`, groups));
}
