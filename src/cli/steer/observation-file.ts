import { appendFileSync, readdirSync, readFileSync, renameSync, statSync } from "node:fs";
import path from "node:path";
import { isJsonObject, type JsonObject } from "../../api/json.ts";
import { messageOf } from "../../api/message-of.ts";
import { parseJson } from "../../api/parse-json.ts";
import { parseTime } from "../../api/time.ts";
import { configMaps } from "../../api/resources.ts";
import { makeFolder } from "../../cluster/make-folder.ts";
import {
  mergeSummaries,
  type Observation,
  type ObservationSink,
  type ObservedWorkload,
  readSummaries,
  summarizeObservations,
} from "../../decisions/stock/observation.ts";

/** A file that is longer gets another name, and the one that had it goes: a copy keeps twice as much at most. */
const mostBytes = 8 * 1024 * 1024;
const suffix = ".observations.jsonl";

/** Keeps the observations of one copy in a file of a folder, one line each, appended; a failure is reported once. */
export function observationFile(
  folder: string,
  identity: string,
  failed: (problem: string) => void,
): ObservationSink {
  const file = path.join(folder, `${identity.replaceAll(/[^\w.-]/g, "_")}${suffix}`);
  let hasFailed = false;
  return {
    add(observation) {
      try {
        makeFolder(folder, 0o777);
        appendFileSync(file, `${JSON.stringify(observation)}\n`, { mode: 0o600 });
        if (statSync(file).size > mostBytes) renameSync(file, file.replace(suffix, `.old${suffix}`));
        hasFailed = false;
      } catch (error) {
        // A full disk must not keep anything else from being done.
        if (!hasFailed) failed(`${file}: ${messageOf(error)}`);
        hasFailed = true;
      }
    },
  };
}

export type ReadObservations =
  | {
      readonly ok: true;
      /** What all copies have seen, the workloads that differ most first. */
      readonly workloads: readonly ObservedWorkload[];
      readonly unreadable: number;
    }
  | { readonly ok: false; readonly problem: string };

/**
 * Reads the observations of all copies from files and folders; `-` is the standard input, and a file may be the ConfigMap of
 * summaries as `kubectl get -o json` prints it. A line that was cut off by a crash is counted, not read.
 */
export function readObservations(paths: readonly string[]): ReadObservations {
  const workloads: ObservedWorkload[] = [];
  let unreadable = 0;
  for (const given of paths) {
    try {
      for (const read of filesOf(given).map(readText)) {
        workloads.push(...read.workloads);
        unreadable += read.unreadable;
      }
    } catch (error) {
      return { ok: false, problem: `${given}: ${messageOf(error)}` };
    }
  }
  return { ok: true, workloads: mergeSummaries(workloads), unreadable };
}

const standardInput = "-";

interface ReadText {
  readonly workloads: readonly ObservedWorkload[];
  readonly unreadable: number;
}

function readText(file: string): ReadText {
  const text = readFileSync(file === standardInput ? 0 : file, "utf8");
  const parsed = parseJson(text);
  if (parsed.ok && isJsonObject(parsed.value) && parsed.value["kind"] === configMaps.kind)
    return readConfigMap(parsed.value);
  const lines = text.split("\n").filter((line) => line !== "");
  const read = lines.map(readLine).filter((observation) => observation !== undefined);
  return { workloads: summarizeObservations(read), unreadable: lines.length - read.length };
}

/** The keys are copies. */
function readConfigMap({ data }: JsonObject): ReadText {
  const texts = isJsonObject(data) ? Object.values(data) : [];
  const read = texts.map((text) => (typeof text === "string" ? readSummaries(text) : undefined));
  const known = read.filter((summaries) => summaries !== undefined);
  return { workloads: known.flat(), unreadable: read.length - known.length };
}

function filesOf(given: string): readonly string[] {
  if (given === standardInput || !statSync(given).isDirectory()) return [given];
  const found = readdirSync(given).filter((name) => name.endsWith(suffix));
  return found.toSorted().map((name) => path.join(given, name));
}

function readLine(line: string): Observation | undefined {
  const parsed = parseJson(line);
  return parsed.ok && isJsonObject(parsed.value) ? readObservation(parsed.value) : undefined;
}

function readObservation({ kind, at, workload, ...rest }: JsonObject): Observation | undefined {
  if (typeof at !== "string" || parseTime(at) === undefined || typeof workload !== "string") return undefined;
  const { wouldRemove, removed, asked, wouldAdmit } = rest;
  if (kind === "removal" && areNames(wouldRemove) && areNames(removed))
    return { kind, at, workload, wouldRemove, removed };
  if (kind === "growth" && typeof asked === "number" && typeof wouldAdmit === "number")
    return { kind, at, workload, asked, wouldAdmit };
  return undefined;
}

function areNames(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((name) => typeof name === "string");
}
