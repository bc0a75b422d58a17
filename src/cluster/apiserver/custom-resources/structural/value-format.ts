import { canonicalBase64 } from "../../../../api/base64.ts";
import { parseDuration } from "../../../../api/duration.ts";
import { parseIp } from "../../../../api/ip-address.ts";
import { compilePattern } from "../../../../api/pattern.ts";
import type { StructuralSchema } from "./structural-schema.ts";

type FormatCheck = (text: string) => boolean;

function matching(source: string): FormatCheck {
  return (text) => {
    const compiled = compilePattern(source);
    return compiled.ok && compiled.pattern.matches(text);
  };
}

const isUuid = matching("(?i)^[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}$");
const hostLabel = "[a-zA-Z0-9\\p{S}\\p{L}]";
const isHostSyntax = matching(
  `^(${hostLabel}((-?${hostLabel}{0,62})?)|(${hostLabel}(([a-zA-Z0-9-\\p{S}\\p{L}]{0,61}${hostLabel})?)(\\.)){1,}([a-zA-Z\\p{L}]){2,63})$`,
);
const isCardSyntax = matching(
  "^(?:4[0-9]{12}(?:[0-9]{3})?|5[1-5][0-9]{14}|(222[1-9]|22[3-9][0-9]|2[3-6][0-9]{2}|27[01][0-9]|2720)[0-9]{12}|6(?:011|5[0-9][0-9])[0-9]{12}|3[47][0-9]{13}|3(?:0[0-5]|[68][0-9])[0-9]{11}|(?:2131|1800|35\\d{3})\\d{11}|6[27][0-9]{14})$",
);
const timeOfDay = /^([0-9]{2}):([0-9]{2}):([0-9]{2})(?:.[0-9]+)?(?:z|[+-][0-9]{2}:[0-9]{2})$/su;

/** The formats of texts, by their names without dashes. */
const textFormats: ReadonlyMap<string, FormatCheck> = new Map<string, FormatCheck>([
  ["bsonobjectid", matching("^[0-9a-fA-F]{24}$")],
  ["uri", (text) => /^(?:[a-zA-Z][a-zA-Z0-9+.-]*:|\/)[^\s\p{Cc}]*$/u.test(text)],
  ["email", (text) => /^(?:[^<>]*<)?[^\s@<>()[\]\\,;:"]+@[^\s@<>()[\]\\,;:"]+>?$/u.test(text)],
  ["hostname", isHostname],
  ["ipv4", isIpv4],
  ["ipv6", (text) => text.includes(":") && parseIp(text) !== undefined],
  ["cidr", isCidr],
  [
    "mac",
    matching(
      "^([0-9a-fA-F]{2}([:-][0-9a-fA-F]{2}){5}(([:-][0-9a-fA-F]{2}){2}|([:-][0-9a-fA-F]{2}){14})?|[0-9a-fA-F]{4}(\\.[0-9a-fA-F]{4}){2,3})$",
    ),
  ],
  ["uuid", isUuid],
  ["uuid3", (text) => isUuid(text) && matching("(?i)^[0-9a-f]{8}-?[0-9a-f]{4}-?3")(text)],
  ["uuid4", matching("(?i)^[0-9a-f]{8}-?[0-9a-f]{4}-?4[0-9a-f]{3}-?[89ab][0-9a-f]{3}-?[0-9a-f]{12}$")],
  ["uuid5", matching("(?i)^[0-9a-f]{8}-?[0-9a-f]{4}-?5[0-9a-f]{3}-?[89ab][0-9a-f]{3}-?[0-9a-f]{12}$")],
  ["isbn", (text) => isIsbn10(text) || isIsbn13(text)],
  ["isbn10", isIsbn10],
  ["isbn13", isIsbn13],
  ["creditcard", isCreditCard],
  ["ssn", matching("^\\d{3}[- ]?\\d{2}[- ]?\\d{4}$")],
  ["hexcolor", matching("^#?([0-9a-fA-F]{3}|[0-9a-fA-F]{6})$")],
  ["rgbcolor", isRgbColor],
  ["byte", (text) => text !== "" && text.length % 4 === 0 && canonicalBase64(text) !== undefined],
  ["password", () => true],
  ["date", isDate],
  ["duration", isDuration],
  ["datetime", isDateTime],
  ["k8sshortname", (text) => text.length <= 63 && matching("^[a-z0-9]([-a-z0-9]*[a-z0-9])?$")(text)],
  [
    "k8slongname",
    (text) =>
      text.length <= 253 &&
      matching("^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$")(text),
  ],
]);

const numberFormats: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ["integer", new Set(["int32", "int64"])],
  ["number", new Set(["float", "double"])],
]);

/** Returns the format that values of a schema are checked by; `undefined` without one, or if it is not recognized. */
export function checkedFormat({ format, type, intOrString }: StructuralSchema): string | undefined {
  if (format === undefined) return undefined;
  if (type === undefined || type === "string" || intOrString)
    return textFormats.has(withoutDashes(format)) ? format : undefined;
  return numberFormats.get(type)?.has(format) === true ? format : undefined;
}

/** Reports whether a text has a format; it has every format that is not recognized. */
export function hasFormat(text: string, format: string): boolean {
  return textFormats.get(withoutDashes(format))?.(text) ?? true;
}

function withoutDashes(format: string): string {
  return format.replaceAll("-", "");
}

function isHostname(text: string): boolean {
  return text.length <= 255 && isHostSyntax(text) && text.split(".").every((label) => label.length <= 63);
}

function isIpv4(text: string): boolean {
  const parts = text.split(".");
  return parts.length === 4 && parts.every((part) => /^[0-9]+$/.test(part) && Number(part) <= 255);
}

function isCidr(text: string): boolean {
  const [address = "", bits = "", ...more] = text.split("/");
  if (more.length > 0 || !/^[0-9]+$/.test(bits)) return false;
  if (isIpv4(address)) return Number(bits) <= 32;
  return address.includes(":") && parseIp(address) !== undefined && Number(bits) <= 128;
}

function isIsbn10(text: string): boolean {
  const digits = text.replaceAll(/[\s-]+/g, "");
  if (!/^[0-9]{9}[0-9X]$/.test(digits)) return false;
  return sumOf(digits, (value, index) => value * (10 - index)) % 11 === 0;
}

function isIsbn13(text: string): boolean {
  const digits = text.replaceAll(/[\s-]+/g, "");
  return (
    /^[0-9]{13}$/.test(digits) &&
    sumOf(digits, (value, index) => value * (index % 2 === 0 ? 1 : 3)) % 10 === 0
  );
}

function sumOf(digits: string, weigh: (value: number, index: number) => number): number {
  let sum = 0;
  for (const [index, digit] of digits.split("").entries())
    sum += weigh(digit === "X" ? 10 : Number(digit), index);
  return sum;
}

function isCreditCard(text: string): boolean {
  const digits = text.replaceAll(/[^0-9]+/g, "");
  if (!isCardSyntax(digits)) return false;
  const doubled = (value: number) => (value > 4 ? value * 2 - 9 : value * 2);
  return (
    sumOf(digits, (value, index) => ((digits.length - index) % 2 === 0 ? doubled(value) : value)) % 10 === 0
  );
}

function isRgbColor(text: string): boolean {
  const channel = "(0|[1-9]\\d?|1\\d\\d?|2[0-4]\\d|25[0-5])";
  return matching(`^rgb\\(\\s*${channel}\\s*,\\s*${channel}\\s*,\\s*${channel}\\s*\\)$`)(text);
}

function isDate(text: string): boolean {
  if (!/^[0-9]{4}-[0-9]{2}-[0-9]{2}$/.test(text)) return false;
  const [year = 0, month = 0, day = 0] = text.split("-").map(Number);
  const isLeap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  const days = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1];
  return days !== undefined && day >= 1 && day <= days;
}

function isDateTime(text: string): boolean {
  const [date = "", time = ""] = text.toLowerCase().split("t");
  const parts = timeOfDay.exec(time);
  const [, hours = "", minutes = "", seconds = ""] = parts ?? [];
  return (
    parts !== null &&
    isDate(date) &&
    [hours, minutes, seconds].every((part, at) => part <= (at === 0 ? "23" : "59"))
  );
}

const durationUnits =
  /^(?:ns|nano.*|us|µs|micro.*|ms|milli.*|s|sec.*|m|min.*|h|hr|hour.*|d|day.*|w|wk|week.*)$/i;

function isDuration(text: string): boolean {
  if (parseDuration(text) !== undefined) return true;
  return [...text.matchAll(/[0-9]\s*([A-Za-zµ]+)/g)].some(([, unit = ""]) => durationUnits.test(unit));
}
