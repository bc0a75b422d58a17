import { trimtabApiVersion } from "../../api/documents/document-schema.ts";
import { isJsonObject } from "../../api/json.ts";
import { messageOf } from "../../api/message-of.ts";
import { formatTime, parseTime } from "../../api/time.ts";
import { lineReader } from "./lines.ts";
import { Recording } from "./recording.ts";

/** What the first line of a recording file says about it. */
export interface RecordingHeader {
  readonly scenario: string;
  readonly seed: number;
  readonly durationSeconds: number;
}

const apiVersion = trimtabApiVersion;
const kind = "Recording";

/** The lines of a recording file: a header, then the recording. */
export function* recordingFileLines(
  recording: Recording,
  header: RecordingHeader,
): Generator<string, void, undefined> {
  yield JSON.stringify({ apiVersion, kind, ...header, start: formatTime(recording.start) });
  yield* recording.lines();
}

export type ReadRecordingFile =
  | { readonly ok: true; readonly header: RecordingHeader; readonly recording: Recording }
  | { readonly ok: false; readonly problem: string };

/** Reads a recording file; what is none is refused with the line that shows it. */
export function parseRecordingFile(text: string): ReadRecordingFile {
  const [first = "", ...lines] = text.split("\n");
  const header = headerIn(first);
  if (header === undefined)
    return { ok: false, problem: "line 1: not a recording of trimtab simulate --record" };
  const recording = new Recording(header.start);
  const read = lineReader(header.start);
  for (const [index, line] of lines.entries()) {
    if (line === "") continue;
    try {
      recording.add(read(line));
    } catch (error) {
      // Converts the errors of JSON.parse and of `lineReader`.
      return { ok: false, problem: `line ${index + 2}: ${messageOf(error)}` };
    }
  }
  return { ok: true, header, recording };
}

function headerIn(line: string): (RecordingHeader & { readonly start: number }) | undefined {
  const parsed = jsonIn(line);
  if (!isJsonObject(parsed) || parsed["kind"] !== kind || parsed["apiVersion"] !== apiVersion)
    return undefined;
  const { start, scenario, seed, durationSeconds } = parsed;
  const began = typeof start === "string" ? parseTime(start) : undefined;
  if (began === undefined || typeof scenario !== "string") return undefined;
  if (typeof seed !== "number" || typeof durationSeconds !== "number") return undefined;
  return { scenario, seed, durationSeconds, start: began };
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
