import { parseDuration } from "../duration.ts";
import { type FieldError, invalid, notSupported, required } from "../field-error.ts";
import { isJsonObject, type JsonObject } from "../json.ts";
import { dns1123LabelProblems, pathSegmentProblems } from "../names.ts";
import { type Load, type LoadDistribution, loadDistributions, type MetricLoad } from "./load.ts";
import { readAmount, readCurve } from "./read-curve.ts";
import { type Errors, memberOf, rejectUnknown } from "./reading.ts";

/** A load, or what is wrong with it, each with its path. */
export type ReadLoad =
  | { readonly ok: true; readonly load: Load }
  | { readonly ok: false; readonly errors: readonly FieldError[] };

/** Reads a load as it is written in an annotation or a scenario file; `path` is where it stands. */
export function readLoad(value: unknown, path = ""): ReadLoad {
  const errors: FieldError[] = [];
  if (!isJsonObject(value)) {
    const detail = "must be an object with a member for each metric, such as cpu";
    return { ok: false, errors: [invalid(path, value ?? null, detail)] };
  }
  const load = new Map<string, MetricLoad>();
  for (const [name, entry] of Object.entries(value)) {
    const at = memberOf(path, name);
    for (const problem of pathSegmentProblems(name)) errors.push(invalid(at, name, problem));
    const metric = readMetric(entry, at, errors);
    if (metric !== undefined) load.set(name, metric);
  }
  return errors.length === 0 ? { ok: true, load } : { ok: false, errors };
}

const members = [
  "total",
  "perPod",
  "distribution",
  "skew",
  "noise",
  "noiseEvery",
  "seed",
  "idle",
  "container",
];
const defaultNoiseEveryMs = 60_000;

function readMetric(value: unknown, path: string, errors: Errors): MetricLoad | undefined {
  if (!isJsonObject(value)) {
    errors.push(invalid(path, value ?? null, "must be an object with total or perPod"));
    return undefined;
  }
  rejectUnknown(value, { path, known: members }, errors);
  const of = readSide(value, path, errors);
  const curve = of === undefined ? undefined : readCurve(value[of], memberOf(path, of), errors);
  const distribution = readDistribution(value, path, errors);
  const noise = readNoise(value, path, errors);
  const seed = readText(value["seed"], memberOf(path, "seed"), errors);
  const idle = value["idle"] === undefined ? 0 : readAmount(value["idle"], memberOf(path, "idle"), errors);
  const container = readContainer(value["container"], memberOf(path, "container"), errors);
  if (of === undefined || curve === undefined || idle === undefined) return undefined;
  return {
    of,
    curve,
    distribution,
    ...(noise !== undefined && { noise }),
    seed,
    idle,
    ...(container !== undefined && { container }),
  };
}

function readSide(value: JsonObject, path: string, errors: Errors): "total" | "perPod" | undefined {
  const { total, perPod } = value;
  if (total !== undefined && perPod !== undefined) {
    errors.push(invalid(memberOf(path, "perPod"), perPod, "may not be set together with total"));
    return undefined;
  }
  if (total === undefined && perPod === undefined) {
    errors.push(required(memberOf(path, "total"), "must set total or perPod"));
    return undefined;
  }
  return total === undefined ? "perPod" : "total";
}

function readDistribution(value: JsonObject, path: string, errors: Errors): LoadDistribution {
  const { distribution = "Even", skew } = value;
  const kind = loadDistributions.find((each) => each === distribution);
  const at = memberOf(path, "skew");
  if (kind === undefined)
    errors.push(notSupported(memberOf(path, "distribution"), distribution, loadDistributions));
  if (kind !== "Skewed") {
    if (skew !== undefined && kind !== undefined)
      errors.push(invalid(at, skew, "needs the distribution Skewed"));
    return { kind: kind ?? "Even" };
  }
  return { kind, skew: readShare(skew ?? 0.5, at, errors) };
}

function readNoise(value: JsonObject, path: string, errors: Errors): MetricLoad["noise"] {
  const { noise, noiseEvery } = value;
  const at = memberOf(path, "noiseEvery");
  if (noise === undefined) {
    if (noiseEvery !== undefined) errors.push(invalid(at, noiseEvery, "needs noise"));
    return undefined;
  }
  const share = readShare(noise, memberOf(path, "noise"), errors);
  if (noiseEvery === undefined) return { share, everyMs: defaultNoiseEveryMs };
  const everyMs = typeof noiseEvery === "string" ? parseDuration(noiseEvery) : undefined;
  if (everyMs === undefined || everyMs < 1000)
    errors.push(invalid(at, noiseEvery, "must be a duration of at least 1s"));
  return { share, everyMs: everyMs ?? defaultNoiseEveryMs };
}

/** A share from 0 to 1, also written as a percentage. */
function readShare(value: unknown, path: string, errors: Errors): number {
  const [, digits, percent] = /^([0-9]*\.?[0-9]+)(%?)$/.exec(String(value)) ?? [];
  const share = Number(digits) / (percent === "%" ? 100 : 1);
  if (share >= 0 && share <= 1) return share;
  errors.push(invalid(path, value, "must be a share from 0 to 1, or a percentage"));
  return 0;
}

function readText(value: unknown, path: string, errors: Errors): string {
  if (value === undefined || typeof value === "string" || typeof value === "number")
    return String(value ?? "");
  errors.push(invalid(path, value, "must be a text or a number"));
  return "";
}

function readContainer(value: unknown, path: string, errors: Errors): string | undefined {
  if (value === undefined) return undefined;
  const problems =
    typeof value === "string" ? dns1123LabelProblems(value) : ["must be the name of a container"];
  for (const problem of problems) errors.push(invalid(path, value, problem));
  return typeof value === "string" ? value : undefined;
}
