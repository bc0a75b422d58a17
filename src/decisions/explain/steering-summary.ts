import type { Choice } from "../downscale/choose-victims.ts";
import type { DecidedPod } from "../downscale/reason.ts";

/** The API server accepts at most 1024 bytes in an Event's message. */
const longest = 900;

/** A steered scale-down in one sentence, with the rule by which each Pod goes: `Removing 2 of 10 pods: web-a (picker), web-b (co-located)`. */
export function steeringSummary({ victims, survivors }: Choice): string {
  const head = `Removing ${victims.length} of ${victims.length + survivors.length} pods: `;
  return head + listed(victims, longest - head.length);
}

/** As many Pods as fit, each with its rule, and how many more. */
function listed(victims: readonly DecidedPod[], length: number): string {
  let text = "";
  for (const [index, { pod, because }] of victims.entries()) {
    const next = `${index === 0 ? "" : ", "}${pod.metadata?.name ?? ""} (${because?.rule ?? "all pods go"})`;
    if (text.length + next.length > length) return `${text} and ${victims.length - index} more`;
    text += next;
  }
  return text;
}

/** The names of Pods, as many as fit into an Event. */
export function podNames(names: readonly string[], length = 400): string {
  let text = "";
  for (const [index, name] of names.entries()) {
    const next = `${index === 0 ? "" : ", "}${name}`;
    if (text.length + next.length > length) return `${text} and ${names.length - index} more`;
    text += next;
  }
  return text === "" ? "none" : text;
}
