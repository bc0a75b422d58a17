import { countText } from "../../decisions/explain/text-table.ts";
import { faultTable } from "../../simulation/outside-faults/fault-log.ts";
import type { DisturbedRun } from "./run-disturbed.ts";
import type { FaultRunResult, NarrowedSeed } from "./run-fault-seeds.ts";

/** Returns what came of the runs, for people. */
export function faultRunText(result: FaultRunResult): string {
  if (result.kind === "fails-without-faults")
    return [
      ...outputOf(result.run),
      `The command fails without any fault (${result.run.ending}): mend that first.`,
    ].join("\n");
  const { runs, narrowed } = result;
  const failed = runs.filter(({ run }) => !run.passed).map(({ seed }) => seed);
  if (failed.length === 0) return `It passes with the faults of ${countText(runs.length, "seed")}.`;
  const verb = failed.length === 1 ? "fails" : "fail";
  const first = runs.find(({ run }) => !run.passed);
  return [
    ...(narrowed === undefined ? outputOf(first?.run) : narrowedLines(narrowed)),
    `${failed.length} of ${countText(runs.length, "seed")} ${verb}: ${failed.join(", ")}`,
  ].join("\n");
}

function narrowedLines({
  seed,
  run,
  identities,
  runs,
  isSmallest,
  failedAgain,
}: NarrowedSeed): readonly string[] {
  if (!failedAgain)
    return [
      ...outputOf(run),
      `Seed ${seed} failed, but not again with the same faults: it depends on chance, too.`,
    ];
  const kept = new Set(identities);
  const injected = run.injected.filter(({ identity }) => kept.has(identity));
  const few = isSmallest ? "none of which can be left out" : "and perhaps with fewer";
  return [
    ...outputOf(run),
    `Seed ${seed} fails with ${countText(identities.length, "fault")}, ${few} (${countText(runs, "run")}):`,
    "",
    ...faultTable(injected),
    "",
  ];
}

/** The end of what the command printed, as it is. */
function outputOf(run: DisturbedRun | undefined): readonly string[] {
  const lines = (run?.output ?? "").trimEnd().split("\n");
  if (lines.join("") === "") return [];
  return ["", "The end of its output:", "", ...lines.slice(-mostLines).map((line) => `  ${line}`), ""];
}

const mostLines = 30;
