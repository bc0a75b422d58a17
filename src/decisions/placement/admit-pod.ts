import type { Pod } from "../../api/generated/core-v1.ts";
import { podFacts } from "./facts/pod-facts.ts";
import type { Plugin } from "./plugin.ts";
import type { Rejection } from "./rejection.ts";

/** Why a Pod may not be tried yet (PreEnqueue); `undefined` when it may. */
export function admitPod(pod: Pod, plugins: readonly Plugin[]): Rejection | undefined {
  const facts = podFacts(pod);
  for (const { name, admit } of plugins) {
    const verdict = admit?.(facts);
    if (verdict?.kind === "rejects") return { ...verdict, plugins: [name] };
  }
  return undefined;
}
