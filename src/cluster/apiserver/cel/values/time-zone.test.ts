import { expect, test } from "vitest";
import { parseTimestamp } from "./time-text.ts";
import { zoneOffset } from "./time-zone.ts";

test.for([
  { zone: "UTC", at: "2024-07-01T00:00:00Z", hours: 0 },
  { zone: "", at: "2024-07-01T00:00:00Z", hours: 0 },
  { zone: "+02:00", at: "2024-07-01T00:00:00Z", hours: 2 },
  { zone: "-2:30", at: "2024-07-01T00:00:00Z", hours: -2.5 },
  { zone: "Europe/Berlin", at: "2024-07-01T00:00:00Z", hours: 2 },
  { zone: "Europe/Berlin", at: "2024-01-01T00:00:00Z", hours: 1 },
  { zone: "America/New_York", at: "2024-01-01T00:00:00Z", hours: -5 },
  { zone: "Asia/Kolkata", at: "1999-12-31T23:59:59.999Z", hours: 5.5 },
  { zone: "America/New_York", at: "0001-01-01T00:00:00Z", hours: -(4 + 56 / 60 + 2 / 3600) },
])("$zone is $hours hours ahead at $at", ({ zone, at, hours }) => {
  const time = parseTimestamp(at);
  if (time === undefined) throw new Error(`${at} is no time`);
  expect(zoneOffset(zone, time)).toEqual({ ok: true, seconds: BigInt(Math.round(hours * 3600)) });
});

test.for([
  { zone: "Nowhere/Town", why: "unknown time zone Nowhere/Town" },
  { zone: "../etc/passwd", why: "unknown time zone ../etc/passwd" },
  { zone: "a:00", why: 'strconv.Atoi: parsing "a": invalid syntax' },
  { zone: "+02:", why: 'strconv.Atoi: parsing "": invalid syntax' },
])("$zone is refused", ({ zone, why }) => {
  const time = parseTimestamp("2024-07-01T00:00:00Z");
  expect(time && zoneOffset(zone, time)).toEqual({ ok: false, why });
});
