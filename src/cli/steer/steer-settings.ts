import { clusterFlags } from "../flags/cluster-flags.ts";
import type { Flags, Invocation } from "../command.ts";
import {
  type ControllersSettings,
  readControllersSettings,
  schedulerConfigFlag,
} from "../control-plane/controllers-settings.ts";
import { programFlags, flagText } from "../flags/program-flags.ts";

/** The settings of `trimtab steer`. */
export interface SteerSettings extends ControllersSettings {
  readonly config: string;
}

export const steerFlags: Flags = {
  config: {
    type: "string",
    value: "FILE",
    help: "The SteeringConfiguration: where the webhook is, and default spreading",
  },
  ...clusterFlags({
    port: 10_281,
    lease: "trimtab-steer",
    leaseHelp: "Lease of the replica that undoes marks and wakes rollouts",
  }),
  ...schedulerConfigFlag,
  ...programFlags("info"),
};

/** Reads the flags of `steer`; returns all errors, one sentence each. */
export function readSteerSettings(invocation: Invocation): SteerSettings | readonly string[] {
  const settings = readControllersSettings(invocation);
  const config = flagText(invocation.flags, "config");
  const missing = config === "" ? ["--config must name the SteeringConfiguration"] : [];
  if (!("port" in settings)) return [...missing, ...settings];
  return missing.length > 0 ? missing : { ...settings, config };
}
