import type { Pod } from "../../api/generated/core-v1.ts";
import { parseDuration } from "../../api/duration.ts";

/** How the simulated containers of a Pod behave, as its annotations say. */
export interface PodBehaviour {
  /** From admission until the containers run, image pull included. */
  readonly startDelayMs: number;
  /** From running to ready, in addition to the delay of a readiness probe. */
  readonly readyDelayMs: number;
  readonly neverReady: boolean;
  /** How long the containers take to exit after SIGTERM. */
  readonly terminationDelayMs: number;
  /** The containers exit only when they are killed at the end of the grace period. */
  readonly ignoreSigterm: boolean;
  /** The containers never exit. */
  readonly stuckTerminating: boolean;
  /** The exit code of containers that end after SIGTERM. */
  readonly exitCodeOnTerm: number;
  /** From the end of the containers to the removal of the Pod: a real kubelet unmounts volumes meanwhile. */
  readonly removalDelayMs: number;
  /** How long each init container runs. */
  readonly initDelayMs: number;
  /** The exit code of init containers. */
  readonly initExitCode: number;
  /** From the start of the containers until they exit with 0; infinite: never; absent: as the restart policy suggests. */
  readonly completeAfterMs?: number;
  /** From the start of the containers until they crash. */
  readonly crashAfterMs?: number;
  readonly crashExitCode?: number;
  /** How many runs of the containers end with a crash, which may be infinitely many. */
  readonly crashLoop?: number;
  /** The containers crash because they have used too much memory. */
  readonly outOfMemory: boolean;
  /** How long the Pod is ready, and then not, by turns. */
  readonly readyFlapMs?: number;
  /** From the start of the containers until the kubelet evicts the Pod. */
  readonly evictAfterMs?: number;
  /** Overrides what the image's name says about pulling it. */
  readonly imagePull: "by-name" | "ok" | "backoff";
  /** What every container writes to its log besides what happens to it. */
  readonly logLines: readonly string[];
  /** How often the next of these lines is written, from the first again after the last; absent: all at once, at the start. */
  readonly logIntervalMs?: number;
}

/** The prefix of every annotation that controls the simulation. */
export const simulationPrefix = "sim.trimtab.dev/";

export const defaultPodBehaviour: PodBehaviour = {
  startDelayMs: 500,
  readyDelayMs: 0,
  neverReady: false,
  terminationDelayMs: 1000,
  ignoreSigterm: false,
  stuckTerminating: false,
  exitCodeOnTerm: 0,
  removalDelayMs: 50,
  initDelayMs: 100,
  initExitCode: 0,
  outOfMemory: false,
  imagePull: "by-name",
  logLines: [],
};

/** A behaviour, and a sentence for each invalid annotation, which was ignored. */
export interface ReadPodBehaviour {
  readonly behaviour: PodBehaviour;
  readonly problems: readonly string[];
}

type Reader = (text: string) => Partial<PodBehaviour> | string;

type DurationMember =
  | "startDelayMs"
  | "readyDelayMs"
  | "terminationDelayMs"
  | "removalDelayMs"
  | "initDelayMs"
  | "crashAfterMs"
  | "readyFlapMs"
  | "evictAfterMs";

const duration =
  (member: DurationMember): Reader =>
  (text) => {
    const milliseconds = parseDuration(text);
    if (milliseconds === undefined || milliseconds < 0) return "must be a duration such as 3s or 500ms";
    return { [member]: milliseconds };
  };

const flag =
  (member: "neverReady" | "ignoreSigterm" | "stuckTerminating" | "outOfMemory"): Reader =>
  (text) =>
    text === "true" || text === "false" ? { [member]: text === "true" } : "must be true or false";

const exitCode =
  (member: "crashExitCode" | "exitCodeOnTerm" | "initExitCode"): Reader =>
  (text) =>
    /^[0-9]{1,3}$/.test(text) && Number(text) <= 255
      ? { [member]: Number(text) }
      : "must be an exit code from 0 to 255";

const completeAfter: Reader = (text) => {
  if (text === "never") return { completeAfterMs: Number.POSITIVE_INFINITY };
  const milliseconds = parseDuration(text);
  return milliseconds === undefined || milliseconds < 0
    ? "must be a duration such as 3s or 500ms, or never"
    : { completeAfterMs: milliseconds };
};

const crashLoop: Reader = (text) => {
  if (text === "true") return { crashLoop: Number.POSITIVE_INFINITY };
  if (text === "false") return { crashLoop: 0 };
  return /^[0-9]{1,6}$/.test(text)
    ? { crashLoop: Number(text) }
    : "must be true, false or the number of runs that crash";
};

const imagePull: Reader = (text) => {
  if (text === "ok" || text === "backoff") return { imagePull: text };
  const slow = text.startsWith("slow:") ? parseDuration(text.slice("slow:".length)) : undefined;
  return slow === undefined
    ? "must be ok, backoff or slow:DURATION"
    : { imagePull: "ok", startDelayMs: slow };
};

const minLogIntervalMs = 10;

const logInterval: Reader = (text) => {
  const milliseconds = parseDuration(text);
  return milliseconds === undefined || milliseconds < minLogIntervalMs
    ? `must be a duration of at least ${minLogIntervalMs}ms`
    : { logIntervalMs: milliseconds };
};

const readers: Readonly<Record<string, Reader>> = {
  startDelay: duration("startDelayMs"),
  readyDelay: duration("readyDelayMs"),
  neverReady: flag("neverReady"),
  terminationDelay: duration("terminationDelayMs"),
  ignoreSIGTERM: flag("ignoreSigterm"),
  stuckTerminating: flag("stuckTerminating"),
  exitCodeOnTerm: exitCode("exitCodeOnTerm"),
  removalDelay: duration("removalDelayMs"),
  initDelay: duration("initDelayMs"),
  initExitCode: exitCode("initExitCode"),
  completeAfter,
  crashAfter: duration("crashAfterMs"),
  crashExitCode: exitCode("crashExitCode"),
  crashLoop,
  oom: flag("outOfMemory"),
  readyFlap: duration("readyFlapMs"),
  evictAfter: duration("evictAfterMs"),
  imagePull,
  log: (text) => ({ logLines: text.replace(/\n$/, "").split("\n") }),
  logInterval,
  // Read where a request is proxied to the Pod.
  endpoint: () => ({}),
  response: () => ({}),
};

/** Reads a Pod's simulation annotations; invalid ones keep their defaults. */
export function readPodBehaviour(pod: Pod): ReadPodBehaviour {
  let behaviour = defaultPodBehaviour;
  const problems: string[] = [];
  for (const [key, text] of Object.entries(pod.metadata.annotations ?? {})) {
    if (!key.startsWith(simulationPrefix)) continue;
    const name = key.slice(simulationPrefix.length);
    const read = Object.hasOwn(readers, name)
      ? readers[name]?.(text)
      : `is not known (known: ${Object.keys(readers).join(", ")})`;
    if (typeof read === "string") problems.push(`${key} ${read}`);
    else behaviour = { ...behaviour, ...read };
  }
  return { behaviour, problems };
}
