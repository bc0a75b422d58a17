import { createHash, timingSafeEqual } from "node:crypto";
import type { Logger } from "../../machinery/log/logger.ts";
import type { PickerSettingsOptions } from "./picker-options.ts";

/** What a caller shows, in either protocol. */
export interface Caller {
  /** The value of a header or metadata key, by its name in lower case. */
  header(name: string): string | undefined;
  /** Whether its certificate was verified; `undefined` if the port asks for none. */
  readonly hasCertificate: boolean | undefined;
}

/** Decides whether a caller may ask: it needs what is configured, a token, a client certificate or both. */
export function authenticator(
  { token, tokenHeader }: PickerSettingsOptions,
  log: Logger,
): (caller: Caller) => boolean {
  const tokens = typeof token === "function" ? token : () => token ?? [];
  const header = (tokenHeader ?? "authorization").toLowerCase();
  const prefix = tokenHeader === undefined ? "Bearer " : "";
  return (caller) => {
    if (caller.hasCertificate === false) return false;
    if (token === undefined) return true;
    const shown = digest(caller.header(header) ?? "");
    const accepted = tokensOf(tokens, log);
    return accepted.some((each) => timingSafeEqual(digest(prefix + each), shown));
  };
}

/** Returns the usable tokens; an empty or missing one, possible in untyped programs, would admit every caller. */
function tokensOf(tokens: () => string | readonly string[], log: Logger): readonly string[] {
  try {
    return [tokens()].flat().filter((each: unknown) => typeof each === "string" && each !== "");
  } catch (error) {
    // The function is the author's: what it throws must not end the program.
    log.error("the function of tokens failed", { error });
    return [];
  }
}

/** Hashes have one length, which `timingSafeEqual` needs. */
function digest(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}
