import { parseDuration } from "../../../api/duration.ts";

// KWOK's conventions of level 0: translates the marks that its standard stages read into our settings.

/** Marks the nodes that KWOK, and this kubelet, simulate. */
export const kwokNodeAnnotation = "kwok.x-k8s.io/node";

type Marks = Readonly<Record<string, string>>;

const stage = (name: string, member: string) => `${name}.stage.kwok.x-k8s.io/${member}`;
const chaos = (name: string) => `${name}.stage.kwok.x-k8s.io`;

/** The setting that each stage delays. */
const delays = {
  "pod-create": "startDelay",
  "pod-ready": "readyDelay",
  "pod-complete": "completeAfter",
  "pod-delete": "terminationDelay",
} as const;

/** Returns the settings that KWOK's marks on a Pod mean. */
export function kwokPodSettings(labels: Marks, annotations: Marks): Marks {
  const settings: Record<string, string> = {};
  for (const [name, setting] of Object.entries(delays)) {
    const delay = delayOf(name, annotations);
    if (delay !== undefined) settings[setting] = delay;
  }
  const failed = "pod-container-running-failed";
  if (labels[chaos(failed)] === "true") {
    settings["crashLoop"] = "true";
    settings["crashAfter"] = delayOf(failed, annotations) ?? "1s";
    settings["crashExitCode"] = annotations[stage(failed, "exit-code")] ?? "1";
  }
  if (labels[chaos("pod-init-container-running-failed")] === "true") settings["initExitCode"] = "1";
  return settings;
}

/** Reports whether a label or an annotation is one of KWOK's. */
export function isKwokMark(key: string): boolean {
  return key.includes(".stage.kwok.x-k8s.io");
}

/** Returns a delay, or a range from it to its jitter; a shorter jitter replaces the delay, as in KWOK. */
function delayOf(name: string, annotations: Marks): string | undefined {
  const delay = annotations[stage(name, "delay")];
  const jitter = annotations[stage(name, "jitter-delay")];
  if (jitter === undefined || delay === undefined) return delay ?? jitter;
  const isRange = (parseDuration(jitter) ?? 0) > (parseDuration(delay) ?? 0);
  return isRange ? `${delay}..${jitter}` : jitter;
}

/** Returns why a node is not ready, if KWOK's mark says so. */
export function kwokNodeSettings(labels: Marks, annotations: Marks) {
  const name = "node-not-ready";
  if (labels[chaos(name)] !== "true") return undefined;
  return {
    reason: annotations[stage(name, "reason")] ?? "nodeFailed",
    message: annotations[stage(name, "message")] ?? "node failed",
  };
}
