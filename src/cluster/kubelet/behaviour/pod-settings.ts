import { parseDuration } from "../../../api/duration.ts";
import { readAnnotatedLoad } from "../../simulated-metrics/annotated-load.ts";
import { isLoadWeight, mostWeight } from "../../simulated-metrics/measured-pod.ts";
import type { PodBehaviour } from "./pod-behaviour.ts";
import {
  type Draw,
  durationSetting,
  exitCode,
  flagSetting,
  flapPeriod,
  shareSetting,
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
  const read = durationSetting(text, draw);
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
  const slow = text.startsWith("slow:") ? durationSetting(text.slice("slow:".length), draw) : undefined;
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

/** Validates a setting that is read elsewhere. */
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

/** All settings of a Pod, by the name of the annotation. */
export const podSettings: Readonly<Record<string, Reader>> = {
  startDelay: setting(durationSetting, (startDelayMs) => ({ startDelayMs })),
  startFailureRate: (text, draw) => {
    const read = shareSetting(text, draw);
    return "problem" in read ? read : { startFails: draw() < read.value };
  },
  imagePull,
  initDelay: setting(durationSetting, (initDelayMs) => ({ initDelayMs })),
  initExitCode: setting(exitCode, (initExitCode) => ({ initExitCode })),
  readyDelay: setting(durationSetting, (readyDelayMs) => ({ readyDelayMs })),
  neverReady: setting(flagSetting, (neverReady) => ({ neverReady })),
  readyFlap: setting(flapPeriod, (readyFlapMs) => ({ readyFlapMs })),
  autoReadinessGates: setting(flagSetting, (autoReadinessGates) => ({ autoReadinessGates })),
  completeAfter,
  crashAfter: setting(durationSetting, (crashAfterMs) => ({ crashAfterMs })),
  crashExitCode: setting(exitCode, (crashExitCode) => ({ crashExitCode })),
  crashLoop,
  oom: setting(flagSetting, (outOfMemory) => ({ outOfMemory })),
  evictAfter: setting(durationSetting, (evictAfterMs) => ({ evictAfterMs })),
  terminationDelay: setting(durationSetting, (terminationDelayMs) => ({ terminationDelayMs })),
  ignoreSIGTERM: setting(flagSetting, (ignoreSigterm) => ({ ignoreSigterm })),
  stuckTerminating: setting(flagSetting, (stuckTerminating) => ({ stuckTerminating })),
  notReadyOnTerminate: setting(flagSetting, (notReadyOnTerminate) => ({ notReadyOnTerminate })),
  exitCodeOnTerm: setting(exitCode, (exitCodeOnTerm) => ({ exitCodeOnTerm })),
  removalDelay: setting(durationSetting, (removalDelayMs) => ({ removalDelayMs })),
  jitter: setting(shareSetting, (jitter) => ({ jitter })),
  // Both are read before the others: one names other settings, one seeds the random numbers.
  profile: () => ({}),
  seed: () => ({}),
  log: (text) => ({ logLines: text.replace(/\n$/, "").split("\n") }),
  logInterval,
  // Read where the usage of Pods is measured.
  load: checked(loadProblem),
  loadWeight: checked((text) =>
    isLoadWeight(text) ? undefined : `must be a number from 0 to ${mostWeight}`,
  ),
  // Read where a request is proxied to the Pod.
  endpoint: () => ({}),
  response: () => ({}),
};

/** The names of all settings of a Pod. */
export const podSettingNames: readonly string[] = Object.keys(podSettings);
