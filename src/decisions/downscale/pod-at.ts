import type { Pod } from "../../api/generated/core-v1.ts";

/** The Pod at an index that was handed out for this very list, so that there is one. */
export function podAt(pods: readonly Pod[], index: number): Pod {
  return pods[index] as Pod;
}
