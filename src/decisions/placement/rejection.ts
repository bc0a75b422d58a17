import type { Failure, Refusal } from "./plugin.ts";

/** A no, and whose it is: of one plugin, or of several that leave no node together. */
export interface Rejection extends Refusal {
  readonly plugins: readonly string[];
}

/** A plugin that could not do its work, and at which of Kubernetes' extension points. */
export interface Breakdown extends Failure {
  readonly plugin: string;
  readonly point: "PreFilter" | "Filter" | "PreScore" | "Score";
}

/** A node that will not do, and why. */
export interface RefusedNode {
  readonly node: string;
  readonly rejection: Rejection;
}
