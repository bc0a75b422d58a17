import { createHash, timingSafeEqual } from "node:crypto";
import type { PickerSettingsOptions } from "./picker-options.ts";

/** What a caller shows, in either protocol. */
export interface Caller {
  /** The value of a header or metadata key, by its name in lower case. */
  header(name: string): string | undefined;
  /** Whether its certificate was verified; `undefined` if the port asks for none. */
  readonly hasCertificate: boolean | undefined;
}

/** Decides whether a caller may ask: it needs what is configured, a token, a client certificate or both. */
export function authenticator({ token, tokenHeader }: PickerSettingsOptions): (caller: Caller) => boolean {
  const tokens = typeof token === "function" ? token : () => token ?? [];
  const header = (tokenHeader ?? "authorization").toLowerCase();
  const prefix = tokenHeader === undefined ? "Bearer " : "";
  return (caller) => {
    if (caller.hasCertificate === false) return false;
    if (token === undefined) return true;
    const shown = digest(caller.header(header) ?? "");
    // An empty token would let every caller in that sends an empty header.
    const accepted = [tokens()].flat().filter((each) => each !== "");
    return accepted.some((each) => timingSafeEqual(digest(prefix + each), shown));
  };
}

/** Hashes have one length, which `timingSafeEqual` needs. */
function digest(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}
