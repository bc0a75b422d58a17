import type { Json, JsonObject } from "../../src/api/json.ts";
import { type Member, shapeOf } from "../../src/api/schema/shape.ts";
import { oneOf, type Random, randomInt } from "../../src/machinery/random/random.ts";

/** Values that some field somewhere accepts, and values that none should. */
const strings = [
  "",
  "a",
  "web",
  "A/b:c@d",
  "-1",
  "10%",
  "1e400",
  "0x10",
  "2026-01-01T00:00:00Z",
  "9999-99-99T99:99:99Z",
  "Always",
  "RollingUpdate",
  "ClusterIP",
  "127.0.0.1",
  "::ffff:10.0.0.1",
  "*/5 * * * *",
  "\u0000",
  "\ud800",
  "__proto__",
  "x".repeat(300),
  "[".repeat(300),
] as const;
const integers = [0, 1, -1, 2, 30, 65_536, 2_147_483_647, -2_147_483_648] as const;
const noIntegers = [0.5, 2_147_483_648, -9.1e15, 1e300] as const;
const wrongTypes: readonly Json[] = [null, true, "text", 7, [], {}, [null], [[]], { a: { b: [] } }];
const keys = [
  "app",
  "a",
  "kubernetes.io/metadata.name",
  "",
  "a/b/c",
  "__proto__",
  "constructor",
  "x".repeat(70),
];

/** Texts of the scalars that decoding parses. */
const texts: Readonly<Record<string, readonly string[]>> = {
  Time: ["2026-01-01T00:00:00Z", "0001-01-01T00:00:00Z"],
  MicroTime: ["2026-01-01T00:00:00.000001Z"],
  Duration: ["1s", "-1h", "0"],
  Quantity: ["0", "1", "-1", "1500m", "1e3", "9Ei"],
  bytes: ["", "YQ=="],
};

const maxDepth = 7;

/** What random values are drawn from: `wrong` is the share of values that are not of their field's type. */
export interface Draw {
  readonly random: Random;
  readonly wrong: number;
}

/**
 * Returns an object of a type of the schema table with random members, some of them absurd. Without wrong types it gets
 * past decoding, to defaults and validation.
 */
export function randomObject(type: string, draw: Draw, depth = 0): JsonObject {
  const { random, wrong } = draw;
  const members = shapeOf(type)?.members ?? [];
  // Deep objects thin out, so that the size stays bounded.
  const share = Math.min(0.6, 6 / (members.length + 1)) * (1 - depth / maxDepth);
  const chosen = members.filter((member) => random.next() < (isRequired(member) ? 0.9 : share));
  const entries = chosen.map((member) => [member.name, randomMember(member, draw, depth)] as const);
  const unknown: readonly (readonly [string, Json])[] = random.next() < wrong ? [["noSuchField", 1]] : [];
  return Object.fromEntries([...entries, ...unknown]);
}

function isRequired({ facts, name }: Member): boolean {
  return facts.required === true || name === "metadata" || name === "spec" || name === "template";
}

function randomMember({ form, type }: Member, draw: Draw, depth: number): Json {
  const { random, wrong } = draw;
  if (random.next() < wrong) return oneOf(wrongTypes, random) ?? null;
  const count = randomInt(random, 3);
  if (form === "list") return Array.from({ length: count }, () => randomValue(type, draw, depth + 1));
  if (form === "single") return randomValue(type, draw, depth + 1);
  const key = () => oneOf(keys, random) ?? "";
  return Object.fromEntries(Array.from({ length: count }, () => [key(), randomValue(type, draw, depth + 1)]));
}

function randomValue(type: string, draw: Draw, depth: number): Json {
  const { random, wrong } = draw;
  if (type.includes(".") && shapeOf(type) !== undefined)
    return depth >= maxDepth ? {} : randomObject(type, draw, depth);
  if (random.next() < wrong) return oneOf([...wrongTypes, ...noIntegers], random) ?? null;
  return oneOf<Json>(valuesOf(type), random) ?? "";
}

function valuesOf(type: string): readonly Json[] {
  if (type === "bool") return [true, false];
  if (type === "IntOrString") return [...integers, "10%", "150%", "http"];
  return /^(u?int|float|double)/.test(type) ? integers : (texts[type] ?? strings);
}
