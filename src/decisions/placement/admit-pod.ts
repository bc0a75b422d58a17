import type { Pod } from "../../api/generated/core-v1.ts";
import { podInfo } from "./snapshot/pod-info.ts";
import type { Plugin } from "./plugin.ts";
import type { Rejection } from "./rejection.ts";

/** Why a Pod may not be tried yet (PreEnqueue); `undefined` when it may. */
export function admitPod(pod: Pod, plugins: readonly Plugin[]): Rejection | undefined {
  const facts = podInfo(pod);
  for (const { name, preEnqueue } of plugins) {
    const verdict = preEnqueue?.(facts);
    if (verdict?.kind === "rejects") return { ...verdict, plugins: [name] };
  }
  return undefined;
}
