import { type FaultSettings, readFaultSettings } from "../../simulation/outside-faults/fault-settings.ts";
import type { Flags, Invocation } from "../command.ts";
import { flagText } from "./flag-values.ts";

/** The flag that lets a cluster disturb the requests of other programs. */
export const faultFlags: Flags = {
  faults: {
    type: "string",
    value: "SEED[:PROFILE]",
    help: "Disturb requests of other programs, the same way for the same seed: gentle, rough, or faults by name",
  },
};

type ReadFaultFlag =
  | { readonly ok: true; readonly faults?: FaultSettings }
  | { readonly ok: false; readonly problems: readonly string[] };

/** Reads the flag; the problems are one sentence each. */
export function readFaultFlag(flags: Invocation["flags"]): ReadFaultFlag {
  if (flags["faults"] === undefined) return { ok: true };
  const read = readFaultSettings(flagText(flags, "faults"));
  if (read.ok) return { ok: true, faults: read.settings };
  return { ok: false, problems: read.problems.map((problem) => `--faults: ${problem}`) };
}
