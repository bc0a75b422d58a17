import { expect, test } from "vitest";
import { humanDuration } from "./human-duration.ts";

const minute = 60;
const hour = 60 * minute;
const day = 24 * hour;
const year = 365 * day;

test.for([
  { seconds: -2, want: "<invalid>" },
  { seconds: -1.9, want: "0s" },
  { seconds: 0, want: "0s" },
  { seconds: 0.999, want: "0s" },
  { seconds: 5.9, want: "5s" },
  { seconds: 119, want: "119s" },
  { seconds: 120, want: "2m" },
  { seconds: 200, want: "3m20s" },
  { seconds: 10 * minute - 1, want: "9m59s" },
  { seconds: 10 * minute + 1, want: "10m" },
  { seconds: 3 * hour - 1, want: "179m" },
  { seconds: 3 * hour, want: "3h" },
  { seconds: 4 * hour + 12 * minute + 59, want: "4h12m" },
  { seconds: 8 * hour + minute, want: "8h" },
  { seconds: 2 * day - 1, want: "47h" },
  { seconds: 2 * day, want: "2d" },
  { seconds: 2 * day + 3 * hour, want: "2d3h" },
  { seconds: 8 * day + hour, want: "8d" },
  { seconds: 45 * day, want: "45d" },
  { seconds: 2 * year - 1, want: "729d" },
  { seconds: 2 * year, want: "2y" },
  { seconds: 2 * year + 17 * day, want: "2y17d" },
  { seconds: 8 * year + 17 * day, want: "8y" },
  { seconds: Number.NaN, want: "<invalid>" },
  { seconds: Number.POSITIVE_INFINITY, want: "<invalid>" },
])("$seconds seconds are $want", ({ seconds, want }) => {
  expect(humanDuration(seconds * 1000)).toBe(want);
});
