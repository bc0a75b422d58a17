import type { CallLimits } from "./call/call-limiter.ts";
import type { CheckTrust } from "./credentials/read-trust.ts";
import type { Resolve } from "./addresses/resolver.ts";
import type { Transports } from "./transport/transport.ts";

/** How pickers are resolved and called: over the network, or in process in a simulation. */
export interface PickerConnector {
  readonly resolve: Resolve;
  readonly transports: Transports;
  /** Default: `defaultCallLimits`. */
  readonly limits?: CallLimits | undefined;
  /** Returns what is wrong with certificates and keys, by field; absent: they are not used, and nothing is. */
  readonly checkTrust?: CheckTrust;
}
