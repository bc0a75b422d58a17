import { parseTime } from "../../../api/time.ts";
import type { Clock } from "../../clock/clock.ts";
import { type ExecCredential, type ExecPlugin, runExecPlugin } from "./exec-plugin.ts";
import type { Identity, IdentitySource } from "./identity.ts";
import { renewedIdentity } from "./renewed-identity.ts";

export interface ExecIdentityOptions {
  readonly plugin: ExecPlugin;
  /** The client certificate of the user entry, used where the plugin has none. */
  readonly own: Pick<Identity, "certificate" | "key">;
  readonly clock: Clock;
  readonly run?: typeof runExecPlugin;
}

/** Credentials of a plugin, which is run again when they expire or are refused. */
export function execIdentity(options: ExecIdentityOptions): IdentitySource {
  const { plugin, own, clock, run = runExecPlugin } = options;
  return renewedIdentity({
    clock,
    missed: `the credential plugin ${plugin.command}: no credentials`,
    async renew(signal) {
      const credential = await run(plugin, signal);
      return { identity: identityIn(credential, own), expires: parseTime(credential.expirationTimestamp) };
    },
  });
}

function identityIn({ token, certificate, key }: ExecCredential, own: ExecIdentityOptions["own"]): Identity {
  return {
    ...(certificate === undefined ? own : { certificate, key }),
    authorization: token === undefined ? undefined : `Bearer ${token}`,
  };
}
