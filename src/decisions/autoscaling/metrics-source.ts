import type { CrossVersionObjectReference } from "../../api/generated/autoscaling-v2.ts";
import type { PodSamples } from "./group-pods.ts";
import type { Problem } from "./replicas-from-pods.ts";

/** A value that is measured as a whole, in thousandths. */
export interface TotalSample {
  readonly value: number;
}

/** The metrics an autoscaler can ask for; what cannot be answered is a problem in a sentence. */
export interface MetricsSource {
  /** Of the Pods' containers together, or of one of them. */
  resource(name: string, container?: string): PodSamples | Problem;
  pods(name: string): PodSamples | Problem;
  object(reference: CrossVersionObjectReference, name: string): TotalSample | Problem;
  external(name: string): TotalSample | Problem;
}
