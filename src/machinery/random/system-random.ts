import { hexText } from "../../api/bytes.ts";
import { type Random, seededRandom } from "./random.ts";

/** A stream seeded by the operating system, for clusters that need not be reproducible. */
export function systemRandom(): Random {
  return seededRandom(newSecret());
}

/** A secret of 256 bits, as hex. */
export function newSecret(): string {
  return hexText(crypto.getRandomValues(new Uint8Array(32)));
}
