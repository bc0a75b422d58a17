import type { PodBehaviour } from "../behaviour/pod-behaviour.ts";

/** The result of pulling an image. */
export type PullResult = { readonly ok: true } | { readonly ok: false; readonly message: string };

// Tags that never exist; tests of failing rollouts use them.
const missingTags = [":404", ":nonexistent", ":does-not-exist"];

/** Simulates a pull: the name of the image, or the behaviour of the Pod, decides the result. */
export function pullImage(image: string, rule: PodBehaviour["imagePull"]): PullResult {
  const missing = rule === "backoff" || (rule === "by-name" && looksMissing(image));
  return missing ? { ok: false, message: `failed to pull image "${image}": not found` } : { ok: true };
}

function looksMissing(image: string): boolean {
  const host = image.split("/")[0] ?? "";
  return (
    missingTags.some((tag) => image.endsWith(tag)) || (image.includes("/") && /\.invalid(:\d+)?$/.test(host))
  );
}
