import type { Flags, Invocation } from "./command.ts";
import {
  controllersFlags,
  type ControllersSettings,
  readControllersSettings,
} from "./controllers-settings.ts";
import { textOf } from "./program-flags.ts";

/** The settings of `trimtab steer`. */
export interface SteerSettings extends ControllersSettings {
  readonly config: string;
}

const { lease, port, ...shared } = controllersFlags;

export const steerFlags: Flags = {
  config: {
    type: "string",
    value: "FILE",
    help: "The SteeringConfiguration: where the webhook is, and default spreading",
  },
  ...shared,
  port: { ...port, type: "string", default: "10281", help: port?.help ?? "" },
  lease: {
    ...lease,
    type: "string",
    default: "trimtab-steer",
    help: "Lease of the replica that undoes marks and wakes rollouts",
  },
};

/** Reads the flags of `steer`; returns all errors, one sentence each. */
export function readSteerSettings(invocation: Invocation): SteerSettings | readonly string[] {
  const settings = readControllersSettings(invocation);
  const config = textOf(invocation.flags, "config");
  const missing = config === "" ? ["--config must name the SteeringConfiguration"] : [];
  if (!("port" in settings)) return [...missing, ...settings];
  return missing.length > 0 ? missing : { ...settings, config };
}
