import { randomBytes } from "node:crypto";
import { type Random, seededRandom } from "./random.ts";

/** Chance from the operating system, for worlds that need not repeat. */
export function systemRandom(): Random {
  return seededRandom(randomBytes(32).toString("hex"));
}

/** A secret of 256 bits, as hex. */
export function newSecret(): string {
  return randomBytes(32).toString("hex");
}
