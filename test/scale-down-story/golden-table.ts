import { type StoryResult, perZone, type StoryParameters } from "./run-story.ts";

/** The grid: how much younger the youngest are, and how often each is told. */
export const ratios = [0.05, 0.1, 0.25, 0.4, 0.5, 0.55, 0.6, 0.7, 0.8, 0.9, 0.95];
export const seedsPerRatio = 30;

/** Every telling of the grid. */
export function grid(): readonly StoryParameters[] {
  const seeds = Array.from({ length: seedsPerRatio }, (_, seed) => seed);
  return ratios.flatMap((ratio) =>
    seeds.flatMap((seed) => [true, false].map((buckets) => ({ ratio, seed, buckets }))),
  );
}

/** The same with the gate `TopologyAwareScaleDown` on. */
export function spreadGrid(): readonly StoryParameters[] {
  return grid().map((telling) => ({ ...telling, spreads: true }));
}

const heading = "ratio\tseed\tbuckets\tone bucket\tPods per zone\tPods per node";

/** What came of every telling, a line each. */
export function writeGolden(endings: readonly StoryResult[]): string {
  const lines = endings.map(({ ratio, seed, buckets, shared, left, perNode }) =>
    [
      ratio,
      seed,
      buckets ? "on" : "off",
      shared.map(yesOrNo).join(" "),
      left.map(slashed).join(" "),
      perNode,
    ].join("\t"),
  );
  return `${[heading, ...lines].join("\n")}\n`;
}

const yesOrNo = (is: boolean) => (is ? "yes" : "no");
const slashed = (counts: readonly number[]) => counts.join("/");

/** Reads what `writeGolden` wrote. */
export function readGolden(
  text: string,
  more: Pick<StoryParameters, "spreads"> = {},
): readonly StoryResult[] {
  const lines = text.trimEnd().split("\n").slice(1);
  return lines.map((line) => {
    const [ratio, seed, buckets, shared = "", left = "", perNode] = line.split("\t");
    return {
      ratio: Number(ratio),
      seed: Number(seed),
      buckets: buckets === "on",
      ...more,
      shared: shared.split(" ").map((word) => word === "yes"),
      left: left.split(" ").map((counts) => counts.split("/").map(Number)),
      perNode: Number(perNode),
    };
  });
}

/** One time a ReplicaSet shrank. */
export interface ScaleDown {
  readonly ratio: number;
  readonly buckets: boolean;
  readonly round: number;
  readonly shared: boolean;
  /** How many Pods the fullest zone has more than the emptiest. */
  readonly skew: number;
}

export function scaleDowns(endings: readonly StoryResult[]): readonly ScaleDown[] {
  return endings.flatMap(({ ratio, buckets, shared, left }) =>
    left.map((counts, round) => {
      const skew = Math.max(...counts) - Math.min(...counts);
      return { ratio, buckets, round, shared: shared[round] === true, skew };
    }),
  );
}

/** A row of the documentation's table. */
export interface Row {
  readonly ratio: number;
  /** The share of cases in which youngest and oldest were in one bucket. */
  readonly shared: number;
  /** Mean zone skews. */
  readonly off: number;
  readonly on: number;
  readonly together: number | undefined;
  readonly apart: number | undefined;
  /** With the gate `TopologyAwareScaleDown`, whatever the buckets. */
  readonly spread: number | undefined;
}

export function rowsOf(endings: readonly StoryResult[], spread: readonly StoryResult[]): readonly Row[] {
  const cases = scaleDowns(endings);
  const even = scaleDowns(spread);
  return ratios.map((ratio) => {
    const here = cases.filter((each) => each.ratio === ratio);
    const on = here.filter(({ buckets }) => buckets);
    return {
      ratio,
      shared: on.filter(({ shared }) => shared).length / on.length,
      off: meanSkew(here.filter(({ buckets }) => !buckets)) ?? Number.NaN,
      on: meanSkew(on) ?? Number.NaN,
      together: meanSkew(on.filter(({ shared }) => shared)),
      apart: meanSkew(on.filter(({ shared }) => !shared)),
      spread: meanSkew(even.filter((each) => each.ratio === ratio)),
    };
  });
}

function meanSkew(cases: readonly ScaleDown[]): number | undefined {
  if (cases.length === 0) return undefined;
  return cases.reduce((sum, { skew }) => sum + skew, 0) / cases.length;
}

/** The table for people. */
export function summaryTable(endings: readonly StoryResult[], spread: readonly StoryResult[]): string {
  const number = (value: number | undefined) => (value === undefined ? "–" : value.toFixed(2));
  const rows = rowsOf(endings, spread).map(({ ratio, shared, off, on, together, apart, spread: even }) => {
    const cells = [ratio, `${Math.round(shared * 100)} %`, ...[off, on, together, apart, even].map(number)];
    return `| ${cells.join(" | ")} |`;
  });
  return [
    "| youngest / oldest | in one bucket | gate off | gate on | of which in one bucket | of which not | by spread |",
    "|---|---|---|---|---|---|---|",
    ...rows,
  ].join("\n");
}

/** The skew when nothing is done about it: one zone has none. */
export const unbroken = perZone;
