/** A value as a function of time. Values are in the units of the metric: cores, bytes, requests. */
export type LoadCurve =
  | { readonly kind: "constant"; readonly value: number }
  | {
      /** `steps` hold their value until the next, `points` are joined by straight lines. */
      readonly kind: "steps" | "points";
      /** By rising time. */
      readonly marks: readonly LoadMark[];
      /** The period after which the curve repeats; absent: the last value stays. */
      readonly everyMs?: number;
      readonly since: LoadOrigin;
    }
  | {
      readonly kind: "wave";
      readonly low: number;
      readonly high: number;
      readonly periodMs: number;
      readonly peakAtMs: number;
      readonly since: LoadOrigin;
    };

/** What times are counted from: midnight (UTC), or the creation of the object that has the load. */
export const loadOrigins = ["Midnight", "Creation"] as const;
export type LoadOrigin = (typeof loadOrigins)[number];

/** A value of a curve at a time after its origin. */
export interface LoadMark {
  readonly atMs: number;
  readonly value: number;
}

/** The names of distributions, as files have them. */
export const loadDistributions = ["Even", "Skewed", "ByWeight"] as const;

/** How a load is divided among Pods: evenly, more to some than to others, or by the weights they are annotated with. */
export type LoadDistribution =
  | { readonly kind: "Even" }
  /** From 0 (even) to 1 (exponential: most Pods get little and few get much). */
  | { readonly kind: "Skewed"; readonly skew: number }
  | { readonly kind: "ByWeight" };

/** The load on Pods in one metric. */
export interface MetricLoad {
  /** Whether the curve is of all ready Pods together, or of each. */
  readonly of: "total" | "perPod";
  readonly curve: LoadCurve;
  readonly distribution: LoadDistribution;
  /** The share by which the curve varies at random, up and down, with a new number every `everyMs`. */
  readonly noise?: { readonly share: number; readonly everyMs: number };
  /** Random numbers depend on it. */
  readonly seed: string;
  /** What a running Pod uses besides its load, also while it is not ready. */
  readonly idle: number;
  /** The container that has the load; absent: the first one. */
  readonly container?: string;
}

/** The simulated load on Pods, by the name of the metric: `cpu`, `memory`, or any other. */
export type Load = ReadonlyMap<string, MetricLoad>;
