import { RecentlyUsed } from "../../recently-used.ts";
import type { Timestamp } from "./cel-value.ts";

/** How many zones are kept; each takes time to look up. */
const keptZones = 50;

const formats = new RecentlyUsed<Intl.DateTimeFormat>(keptZones);

/** The seconds that a zone is ahead of UTC at a time, or why there is no such zone. */
export type ZoneOffset =
  | { readonly ok: true; readonly seconds: bigint }
  | { readonly ok: false; readonly why: string };

/**
 * Returns how far ahead a zone is at a time: an offset such as `+02:00`, or a name of the time zone database that Node
 * has, such as `Europe/Berlin`.
 */
export function zoneOffset(zone: string, time: Timestamp): ZoneOffset {
  if (zone === "UTC" || zone === "") return { ok: true, seconds: 0n };
  const colon = zone.indexOf(":");
  if (colon >= 0) return numericOffset(zone.slice(0, colon), zone.slice(colon + 1));
  const format = formatOf(zone);
  if (format === undefined) return { ok: false, why: `unknown time zone ${zone}` };
  const parts = format.formatToParts(Number(time.nanos / 1_000_000n));
  return { ok: true, seconds: namedOffset(parts.find(({ type }) => type === "timeZoneName")?.value) };
}

/** Returns the seconds of a name such as `GMT-05:00`; `GMT` itself is not ahead. */
function namedOffset(name = ""): bigint {
  const [, sign, hours, minutes, seconds = "0"] = /([+-])(\d+):(\d+)(?::(\d+))?/.exec(name) ?? [];
  if (hours === undefined || minutes === undefined) return 0n;
  const ahead = BigInt(hours) * 3600n + BigInt(minutes) * 60n + BigInt(seconds);
  return sign === "-" ? -ahead : ahead;
}

function numericOffset(hours: string, minutes: string): ZoneOffset {
  for (const part of [hours, minutes])
    if (!/^[+-]?\d{1,9}$/.test(part))
      return { ok: false, why: `strconv.Atoi: parsing ${JSON.stringify(part)}: invalid syntax` };
  const rest = hours.startsWith("-") ? -BigInt(minutes) : BigInt(minutes);
  return { ok: true, seconds: (BigInt(hours) * 60n + rest) * 60n };
}

function formatOf(timeZone: string): Intl.DateTimeFormat | undefined {
  const known = formats.get(timeZone);
  if (known !== undefined) return known;
  const made = newFormat(timeZone);
  if (made !== undefined) formats.set(timeZone, made);
  return made;
}

function newFormat(timeZone: string): Intl.DateTimeFormat | undefined {
  if (!/^[A-Za-z][\w+/-]*$/.test(timeZone)) return undefined;
  try {
    return new Intl.DateTimeFormat("en-US", { timeZone, timeZoneName: "longOffset" });
  } catch (error) {
    if (error instanceof RangeError) return undefined; // no zone of this name
    throw error;
  }
}
