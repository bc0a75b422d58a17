import type { FeatureGates } from "../../api/feature-gates.ts";

/** How a file is to be read: the version it is written in, and the switches of the program that reads it. */
export interface DecodingContext {
  /**
   * v1beta1 is read as the proposal of default constraints wrote it: a list means that list, an empty one none at all.
   * In v1 only `defaultingType` says so.
   */
  readonly isV1beta1: boolean;
  readonly gates: FeatureGates;
}

const group = "kubescheduler.config.k8s.io";

/** The versions that are read, today's first. */
export const apiVersions = [`${group}/v1`, `${group}/v1beta1`] as const;

/** The dialect of a version. */
export function decodingContextOf(apiVersion: unknown, gates: FeatureGates): DecodingContext {
  return { isV1beta1: apiVersion === apiVersions[1], gates };
}
