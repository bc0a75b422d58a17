import type { FeatureGates } from "../../api/feature-gates.ts";

/** How a file is to be read: the version it is written in, and the switches of the program that reads it. */
export interface Dialect {
  /**
   * v1beta1 is read as the proposal of default constraints wrote it: a list means that list, an empty one none at all.
   * In v1 only `defaultingType` says so.
   */
  readonly readsLikeTheProposal: boolean;
  readonly gates: FeatureGates;
}

const group = "kubescheduler.config.k8s.io";

/** The versions that are read, today's first. */
export const apiVersions = [`${group}/v1`, `${group}/v1beta1`] as const;

/** The dialect of a version. */
export function dialectOf(apiVersion: unknown, gates: FeatureGates): Dialect {
  return { readsLikeTheProposal: apiVersion === apiVersions[1], gates };
}
