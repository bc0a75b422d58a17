import { randomBytes } from "node:crypto";
import { type Random, seededRandom } from "./random.ts";

/** A stream seeded by the operating system, for clusters that need not be reproducible. */
export function systemRandom(): Random {
  return seededRandom(randomBytes(32).toString("hex"));
}

/** A secret of 256 bits, as hex. */
export function newSecret(): string {
  return randomBytes(32).toString("hex");
}
