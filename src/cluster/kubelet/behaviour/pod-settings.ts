import { parseDuration } from "../../../api/duration.ts";
import { readAnnotatedLoad } from "../../simulated-metrics/annotated-load.ts";
import { isLoadWeight, mostWeight } from "../../simulated-metrics/measured-pod.ts";
import type { PodBehaviour } from "./pod-behaviour.ts";
import {
  type Draw,
  duration,
  exitCode,
  flag,
  flapPeriod,
  share,
  type ValueReader,
} from "./setting-values.ts";

type Reader = (text: string, draw: Draw) => Partial<PodBehaviour> | { readonly problem: string };

const setting =
  <T>(read: ValueReader<T>, member: (value: T) => Partial<PodBehaviour>): Reader =>
  (text, draw) => {
    const result = read(text, draw);
    return "problem" in result ? result : member(result.value);
  };

const completeAfter: Reader = (text, draw) => {
  if (text === "never") return { completeAfterMs: Number.POSITIVE_INFINITY };
  const read = duration(text, draw);
  return "problem" in read ? { problem: `${read.problem}, or never` } : { completeAfterMs: read.value };
};

const crashLoop: Reader = (text) => {
  if (text === "true") return { crashLoop: Number.POSITIVE_INFINITY };
  if (text === "false") return { crashLoop: 0 };
  return /^[0-9]{1,6}$/.test(text)
    ? { crashLoop: Number(text) }
    : { problem: "must be true, false or the number of runs that crash" };
};

const imagePull: Reader = (text, draw) => {
  if (text === "ok" || text === "backoff") return { imagePull: text };
  const slow = text.startsWith("slow:") ? duration(text.slice("slow:".length), draw) : undefined;
  if (slow === undefined || "problem" in slow) return { problem: "must be ok, backoff or slow:DURATION" };
  return { imagePull: "ok", startDelayMs: slow.value };
};

const minLogIntervalMs = 10;

const logInterval: Reader = (text) => {
  const milliseconds = parseDuration(text);
  return milliseconds === undefined || milliseconds < minLogIntervalMs
    ? { problem: `must be a duration of at least ${minLogIntervalMs}ms` }
    : { logIntervalMs: milliseconds };
};

/** A setting that is read elsewhere: here it is only said what is wrong with it. */
const checked =
  (problemIn: (text: string) => string | undefined): Reader =>
  (text): ReturnType<Reader> => {
    const problem = problemIn(text);
    return problem === undefined ? {} : { problem };
  };

const loadProblem = (text: string): string | undefined => {
  const read = readAnnotatedLoad(text);
  return "problem" in read ? read.problem : undefined;
};

/** Everything a Pod can be told, by the name of its annotation. */
export const podSettings: Readonly<Record<string, Reader>> = {
  startDelay: setting(duration, (startDelayMs) => ({ startDelayMs })),
  startFailureRate: (text, draw) => {
    const read = share(text, draw);
    return "problem" in read ? read : { startFails: draw() < read.value };
  },
  imagePull,
  initDelay: setting(duration, (initDelayMs) => ({ initDelayMs })),
  initExitCode: setting(exitCode, (initExitCode) => ({ initExitCode })),
  readyDelay: setting(duration, (readyDelayMs) => ({ readyDelayMs })),
  neverReady: setting(flag, (neverReady) => ({ neverReady })),
  readyFlap: setting(flapPeriod, (readyFlapMs) => ({ readyFlapMs })),
  autoReadinessGates: setting(flag, (autoReadinessGates) => ({ autoReadinessGates })),
  completeAfter,
  crashAfter: setting(duration, (crashAfterMs) => ({ crashAfterMs })),
  crashExitCode: setting(exitCode, (crashExitCode) => ({ crashExitCode })),
  crashLoop,
  oom: setting(flag, (outOfMemory) => ({ outOfMemory })),
  evictAfter: setting(duration, (evictAfterMs) => ({ evictAfterMs })),
  terminationDelay: setting(duration, (terminationDelayMs) => ({ terminationDelayMs })),
  ignoreSIGTERM: setting(flag, (ignoreSigterm) => ({ ignoreSigterm })),
  stuckTerminating: setting(flag, (stuckTerminating) => ({ stuckTerminating })),
  notReadyOnTerminate: setting(flag, (notReadyOnTerminate) => ({ notReadyOnTerminate })),
  exitCodeOnTerm: setting(exitCode, (exitCodeOnTerm) => ({ exitCodeOnTerm })),
  removalDelay: setting(duration, (removalDelayMs) => ({ removalDelayMs })),
  jitter: setting(share, (jitter) => ({ jitter })),
  // Both were read before the others: settings of one name, and which random numbers are drawn.
  profile: () => ({}),
  seed: () => ({}),
  log: (text) => ({ logLines: text.replace(/\n$/, "").split("\n") }),
  logInterval,
  // Read where the use of Pods is measured.
  load: checked(loadProblem),
  loadWeight: checked((text) =>
    isLoadWeight(text) ? undefined : `must be a number from 0 to ${mostWeight}`,
  ),
  // Read where a request is proxied to the Pod.
  endpoint: () => ({}),
  response: () => ({}),
};

/** The names of everything a Pod can be told. */
export const podSettingNames: readonly string[] = Object.keys(podSettings);
