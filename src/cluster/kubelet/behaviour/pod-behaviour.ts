import type { Pod } from "../../../api/generated/core-v1.ts";
import { type Random, seededRandom } from "../../../machinery/random/random.ts";
import { isKwokMark, kwokPodSettings } from "./kwok.ts";
import { podSettingNames, podSettings } from "./pod-settings.ts";
import { profileNames, profiles } from "./profiles.ts";
import type { Draw } from "./setting-values.ts";
import { simulationPrefix } from "./simulation-prefix.ts";

/** How the simulated containers of a Pod behave, as its annotations say. */
export interface PodBehaviour {
  /** From admission until the containers run, image pull included. */
  readonly startDelayMs: number;
  /** The containers cannot be started this time. */
  readonly startFails: boolean;
  /** Overrides what the image's name says about pulling it. */
  readonly imagePull: "by-name" | "ok" | "backoff";
  /** How long each init container runs; absent: as its command line says. */
  readonly initDelayMs?: number;
  /** The exit code of init containers; absent: as their command lines say. */
  readonly initExitCode?: number;
  /** From running to ready, in addition to the delay of a readiness probe. */
  readonly readyDelayMs: number;
  readonly neverReady: boolean;
  /** How long the Pod is ready, and then not, in turns. */
  readonly readyFlapMs?: number;
  /** The kubelet opens the readiness gates itself. */
  readonly autoReadinessGates: boolean;
  /**
   * The time from the start of the containers until they exit with 0; infinite: never; absent: by command line and
   * restart policy.
   */
  readonly completeAfterMs?: number;
  /** From the start of the containers until they crash. */
  readonly crashAfterMs?: number;
  readonly crashExitCode?: number;
  /** How many runs of the containers end with a crash; may be infinite. */
  readonly crashLoop?: number;
  /** The containers crash because they have used too much memory. */
  readonly outOfMemory: boolean;
  /** From the start of the containers until the kubelet evicts the Pod. */
  readonly evictAfterMs?: number;
  /** How long the containers take to exit after SIGTERM. */
  readonly terminationDelayMs: number;
  /** The containers exit only when they are killed at the end of the grace period. */
  readonly ignoreSigterm: boolean;
  /** The containers never exit. */
  readonly stuckTerminating: boolean;
  /** The Pod is no longer ready as soon as it is being deleted. */
  readonly notReadyOnTerminate: boolean;
  /** The exit code of containers that end after SIGTERM. */
  readonly exitCodeOnTerm: number;
  /** From the end of the containers to the removal of the Pod: a real kubelet unmounts volumes meanwhile. */
  readonly removalDelayMs: number;
  /** The share by which delays vary, up and down. */
  readonly jitter: number;
  /** The lines that every container writes to its log besides its own events. */
  readonly logLines: readonly string[];
  /** How often the next of these lines is written, starting over after the last; absent: all at once, at the start. */
  readonly logIntervalMs?: number;
  /** Why the node does not accept the Pod. */
  readonly rejection?: { readonly reason: string; readonly message: string };
  /** The node is being shut down. */
  readonly nodeShutdown: boolean;
}

export const defaultPodBehaviour: PodBehaviour = {
  startDelayMs: 500,
  startFails: false,
  imagePull: "by-name",
  readyDelayMs: 0,
  neverReady: false,
  autoReadinessGates: false,
  outOfMemory: false,
  terminationDelayMs: 1000,
  ignoreSigterm: false,
  stuckTerminating: false,
  notReadyOnTerminate: false,
  exitCodeOnTerm: 0,
  removalDelayMs: 50,
  jitter: 0,
  logLines: [],
  nodeShutdown: false,
};

/** A behaviour, and a sentence for each ignored setting that is unknown or invalid. */
export interface ReadPodBehaviour {
  readonly behaviour: PodBehaviour;
  readonly problems: readonly string[];
}

/** The sources of a Pod's settings besides itself. */
export interface PodSurroundings {
  /** Annotations of its namespace. */
  readonly namespace?: Readonly<Record<string, string>> | undefined;
  /** Settings that its node has for its Pods, without the prefix. */
  readonly node?: Readonly<Record<string, string>>;
  /** Random numbers depend on it; absent: on the name of the Pod. */
  readonly identity?: string;
}

const profileSetting = "profile";
const unchanged: ReadPodBehaviour = { behaviour: defaultPodBehaviour, problems: [] };

/**
 * Reads the settings of a Pod: from its own annotations, the profile its label names, its namespace and its node; the
 * first that has a setting wins. Invalid settings have no effect.
 */
export function readPodBehaviour(pod: Pod, surroundings: PodSurroundings = {}): ReadPodBehaviour {
  // Most Pods have no settings, and every change of a Pod comes through here.
  if (!isTold(pod, surroundings)) return unchanged;
  const problems: string[] = [];
  const settings = settingsOf(pod, surroundings, problems);
  if (Object.keys(settings).length === 0 && problems.length === 0) return unchanged;
  const drawOf = randomOf(pod, settings["seed"], surroundings.identity);
  let behaviour = defaultPodBehaviour;
  for (const [name, text] of Object.entries(settings)) {
    const read = Object.hasOwn(podSettings, name) ? podSettings[name]?.(text, drawOf(name)) : undefined;
    if (read === undefined)
      problems.push(`${simulationPrefix}${name} is not known (known: ${podSettingNames.join(", ")})`);
    else if ("problem" in read) problems.push(`${simulationPrefix}${name} ${read.problem}`);
    else behaviour = { ...behaviour, ...read };
  }
  return {
    behaviour: scaledBehaviour(behaviour, jitterFactor(behaviour.jitter, drawOf("jitter"))),
    problems,
  };
}

function isTold({ metadata: { annotations, labels } }: Pod, { node, namespace }: PodSurroundings): boolean {
  if (node !== undefined && Object.keys(node).length > 0) return true;
  return hasMark(annotations) || hasMark(labels) || hasMark(namespace);
}

function hasMark(marks: Readonly<Record<string, string>> | undefined): boolean {
  for (const key in marks) if (key.startsWith(simulationPrefix) || isKwokMark(key)) return true;
  return false;
}

/** Returns all settings that apply to a Pod, by name. */
function settingsOf(
  { metadata: { annotations = {}, labels = {} } }: Pod,
  { node = {}, namespace }: PodSurroundings,
  problems: string[],
): Readonly<Record<string, string>> {
  return {
    ...withProfile(node, problems, "the node's "),
    ...withProfile(settingsIn(namespace), problems, "the namespace's "),
    ...profileOf(labels[`${simulationPrefix}${profileSetting}`], problems, "the label "),
    ...kwokPodSettings(labels, annotations),
    ...withProfile(settingsIn(annotations), problems, ""),
  };
}

/** Returns the behaviour with every delay multiplied by the factor. */
export function scaledBehaviour(behaviour: PodBehaviour, factor: number): PodBehaviour {
  if (factor === 1) return behaviour;
  const times = (milliseconds: number) => Math.round(milliseconds * factor);
  return {
    ...behaviour,
    startDelayMs: times(behaviour.startDelayMs),
    ...(behaviour.initDelayMs !== undefined && { initDelayMs: times(behaviour.initDelayMs) }),
    readyDelayMs: times(behaviour.readyDelayMs),
    terminationDelayMs: times(behaviour.terminationDelayMs),
    removalDelayMs: times(behaviour.removalDelayMs),
  };
}

function jitterFactor(jitter: number, draw: Draw): number {
  return jitter === 0 ? 1 : 1 + jitter * (2 * draw() - 1);
}

/** Returns the settings among the annotations of an object, without their prefix. */
function settingsIn(
  annotations: Readonly<Record<string, string>> | undefined,
): Readonly<Record<string, string>> {
  const entries: [string, string][] = [];
  for (const key in annotations)
    if (key.startsWith(simulationPrefix))
      entries.push([key.slice(simulationPrefix.length), annotations[key] ?? ""]);
  return Object.fromEntries(entries);
}

/** Returns the settings with those of the profile they name, which they override. */
function withProfile(settings: Readonly<Record<string, string>>, problems: string[], whose: string) {
  const { [profileSetting]: profile, ...others } = settings;
  return profile === undefined ? settings : { ...profileOf(profile, problems, whose), ...others };
}

function profileOf(name: string | undefined, problems: string[], whose: string) {
  if (name === undefined) return {};
  if (Object.hasOwn(profiles, name)) return profiles[name] ?? {};
  const known = `known: ${profileNames.join(", ")}`;
  problems.push(
    `${whose}${simulationPrefix}${profileSetting} ${JSON.stringify(name)} is not known (${known})`,
  );
  return {};
}

/** Returns how many runs of its containers came before this one. */
export function runOf({ status }: Pod): number {
  return status?.containerStatuses?.[0]?.restartCount ?? 0;
}

/** Returns a random stream for each setting of a Pod and each run of its containers, the same whenever it is read. */
function randomOf(pod: Pod, seed = "", identity = pod.metadata.name): (name: string) => Draw {
  const run = runOf(pod);
  return (name) => {
    let stream: Random | undefined;
    return () => (stream ??= seededRandom(`${seed}/${identity}/${run}/${name}`)).next();
  };
}
