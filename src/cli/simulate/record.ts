import { closeSync, openSync, writeSync } from "node:fs";
import { messageOf } from "../../api/message-of.ts";
import { recordingFileLines } from "../../simulation/recording/recording-file.ts";
import type { SeedOutcome, SeedTask } from "../../simulation/scenario-run/run-scenario-seeds.ts";
import { runScenario } from "../../simulation/scenario-run/run-scenario.ts";

/** Runs a scenario and writes its recording; a sentence where the file cannot be written, before anything is run. */
export async function runAndRecord(
  { scenario, seed }: SeedTask,
  file: string,
  signal: AbortSignal,
): Promise<SeedOutcome | string> {
  const opened = openForWriting(file);
  if (typeof opened === "string") return opened;
  try {
    const { result, recording } = await runScenario(scenario, { seed, isRecorded: true, signal });
    const { durationSeconds } = result;
    for (const line of recordingFileLines(recording, { scenario: scenario.name, seed, durationSeconds }))
      writeSync(opened, `${line}\n`);
    return { ok: true, result };
  } finally {
    closeSync(opened);
  }
}

function openForWriting(file: string): number | string {
  try {
    return openSync(file, "w");
  } catch (error) {
    // Converts the errors of the file system.
    return `--record ${file}: ${messageOf(error)}`;
  }
}
