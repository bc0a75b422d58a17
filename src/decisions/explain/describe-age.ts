import { formatDuration, humanDuration } from "../../api/duration.ts";
import { bucketStartMs, unknownAge } from "../downscale/log-bucket.ts";
import type { Reason } from "../downscale/reason.ts";
import type { Key } from "../downscale/rules.ts";

/** An age as a rule compared it. */
interface ComparedAge {
  readonly value: Key;
  readonly unit: Reason["unit"];
}

/** The phrases for a known and for an unknown age. */
interface Wording {
  readonly known: (span: string) => string;
  readonly unknown: string;
}

/** An age as it was compared: by the bounds of its bucket, or exactly where there are no buckets. */
export function describeAge({ value, unit }: ComparedAge, { known, unknown }: Wording): string {
  const age = Number(value);
  if (age === (unit === "bucket" ? unknownAge : -Infinity)) return unknown;
  if (age < 0) return "just now";
  return known(unit === "bucket" ? describeBucket(age) : formatDuration(age));
}

function describeBucket(bucket: number): string {
  const from = humanDuration(bucketStartMs(bucket));
  const to = humanDuration(bucketStartMs(bucket + 1));
  return from === "0s" ? `up to ${to === "0s" ? "1s" : to}` : `${from} to ${to}`;
}
