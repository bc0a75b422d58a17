import { formatDuration, parseDuration } from "../../api/duration.ts";
import { formatTime } from "../../api/time.ts";
import { readTextFile } from "../../machinery/client/connection/text-file.ts";
import { type ClusterAt, clusterAt } from "../../simulation/recording/cluster-at.ts";
import { parseRecordingFile, recordingFileLines } from "../../simulation/recording/recording-file.ts";
import { timeText } from "./result-text.ts";
import { tableLines } from "./comparison-text.ts";
import { closeSync, openSync, writeSync } from "node:fs";
import { messageOf } from "../../api/message-of.ts";
import type { SeedOutcome, SeedTask } from "../../simulation/scenario-run/run-scenario-seeds.ts";
import { runScenario } from "../../simulation/scenario-run/run-scenario.ts";

export type Replayed =
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly problem: string };

/** The cluster of a recording at a time, for people or as JSON; without a time, at the end. */
export function replayRecording(file: string, at: string | undefined, isJson: boolean): Replayed {
  const read = readTextFile(file);
  if (!read.ok) return { ok: false, problem: `${file}: ${read.reason}` };
  const parsed = parseRecordingFile(read.text);
  if (!parsed.ok) return { ok: false, problem: `${file}: ${parsed.problem}` };
  const { header, recording } = parsed;
  const endMs = header.durationSeconds * 1000;
  const atMs = at === undefined ? endMs : parseDuration(at);
  if (atMs === undefined || atMs < 0 || atMs > endMs)
    return {
      ok: false,
      problem: `--at must be a time from 0s to ${formatDuration(endMs)}, not ${JSON.stringify(at)}`,
    };
  const cluster = clusterAt(recording, recording.start + atMs);
  const head = `${header.scenario}, seed ${header.seed}, at ${formatDuration(atMs)} of ${formatDuration(endMs)}`;
  const time = formatTime(recording.start + atMs);
  const text = isJson
    ? JSON.stringify({ scenario: header.scenario, seed: header.seed, time, ...cluster }, undefined, 2)
    : [`${head} (${time})`, "", ...clusterLines(cluster)].join("\n");
  return { ok: true, text };
}

function clusterLines({ nodes, notReadyNodes, workloads, decisions }: ClusterAt): readonly string[] {
  const down = notReadyNodes.length === 0 ? "all ready" : `not ready: ${notReadyNodes.join(", ")}`;
  const rows = [
    ["WORKLOAD", "DESIRED", "READY", "NOT READY", "PENDING", "TERMINATING", "ZONES", "COMPLETE"],
    ...workloads.map(({ workload, desired, pods, zones, isComplete }) => [
      workload,
      ...[desired, pods.ready, pods.notReady, pods.pending, pods.terminating].map(String),
      Object.entries(zones)
        .map(([zone, count]) => `${zone}: ${count}`)
        .join(", "),
      isComplete ? "yes" : "no",
    ]),
  ];
  return [
    `${nodes} nodes, ${down}`,
    "",
    ...tableLines(rows),
    "",
    "The last events and decisions:",
    ...decisions.map((decision) => `  ${timeText(decision).padEnd(9)} ${decision.by}: ${decision.text}`),
  ];
}

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
