import { readDocument } from "../documents/read-document.ts";
import { shareIn } from "../documents/share-schema.ts";
import type { FieldError } from "../field-error.ts";
import type { Load, LoadCurve, LoadDistribution, LoadMark, MetricLoad } from "./load.ts";
import {
  metricAmount,
  type CurveDocument,
  loadSchema,
  type MarkDocument,
  type MetricLoadDocument,
  periodOf,
  timeOf,
} from "./load-schema.ts";

/** A load, or what is wrong with it, each with its path. */
export type ReadLoad =
  | { readonly ok: true; readonly load: Load }
  | { readonly ok: false; readonly errors: readonly FieldError[] };

/** Reads a load as it is written in an annotation. */
export function readLoad(value: unknown): ReadLoad {
  const read = readDocument(loadSchema, value);
  if (!read.ok) return read;
  const metrics = Object.entries(read.value).map(([name, metric]) => [name, metricOf(metric)] as const);
  return { ok: true, load: new Map(metrics) };
}

const defaultNoiseEvery = "1m";

function metricOf(metric: MetricLoadDocument): MetricLoad {
  const { total, perPod, noise, noiseEvery = defaultNoiseEvery, seed = "", idle = 0, container } = metric;
  return {
    of: total === undefined ? "perPod" : "total",
    curve: curveOf(total ?? perPod ?? 0),
    distribution: distributionOf(metric),
    ...(noise !== undefined && { noise: { share: shareIn(noise), everyMs: timeOf(noiseEvery) } }),
    seed: String(seed),
    idle: metricAmount(idle),
    ...(container !== undefined && { container }),
  };
}

function distributionOf({ distribution: kind = "Even", skew = 0.5 }: MetricLoadDocument): LoadDistribution {
  return kind === "Skewed" ? { kind, skew: shareIn(skew) } : { kind };
}

function curveOf(written: number | string | CurveDocument): LoadCurve {
  if (typeof written !== "object") return { kind: "constant", value: metricAmount(written) };
  const { steps, points, wave, since = "Midnight" } = written;
  if (wave !== undefined) {
    const periodMs = timeOf(wave.period ?? "24h");
    const peakAtMs = wave.peakAt === undefined ? periodMs / 2 : timeOf(wave.peakAt);
    return {
      kind: "wave",
      low: metricAmount(wave.low),
      high: metricAmount(wave.high),
      periodMs,
      peakAtMs,
      since,
    };
  }
  const everyMs = periodOf(written);
  const kind = steps === undefined ? "points" : "steps";
  const marks = (steps ?? points ?? []).map(markOf);
  return { kind, marks, ...(everyMs !== undefined && { everyMs }), since };
}

function markOf({ at, value }: MarkDocument): LoadMark {
  return { atMs: timeOf(at), value: metricAmount(value) };
}
