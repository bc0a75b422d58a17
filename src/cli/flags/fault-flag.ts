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
  return flags["faults"] === undefined ? { ok: true } : named("--faults", flagText(flags, "faults"));
}

/** The variable with which the clusters of a test suite that starts its own are disturbed. */
export const faultVariable = "TRIMTAB_ENVTEST_FAULTS";

/** Reads the variable, if it is set; the problems are one sentence each. */
export function readFaultVariable(env: Readonly<Record<string, string | undefined>>): ReadFaultFlag {
  const text = env[faultVariable] ?? "";
  return text === "" ? { ok: true } : named(faultVariable, text);
}

function named(name: string, text: string): ReadFaultFlag {
  const read = readFaultSettings(text);
  if (read.ok) return { ok: true, faults: read.settings };
  return { ok: false, problems: read.problems.map((problem) => `${name}: ${problem}`) };
}
