import type { AllowList } from "../picker/addresses/address-policy.ts";
import type { CallLimits } from "../picker/call/call-limiter.ts";
import { networkConnector } from "../picker/network-connector.ts";
import type { PickerConnectorFactory } from "./picker-access.ts";

/** What the operator configures about pod pickers. */
export interface PickerAccess {
  /** A certificate authority trusted besides the system's, as PEM. */
  readonly ca?: string | undefined;
  readonly allowed: AllowList;
  /** How many calls may be in flight; absent: `defaultCallLimits`. */
  readonly limits?: CallLimits;
  /** The version of the product, sent to pickers. */
  readonly version?: string;
  /** The URL of the API server, once it listens: no picker may be there. */
  readonly apiServer?: () => string | undefined;
}

/**
 * Reaches the pickers of the embedded cluster: on loopback where a Service's annotation says, or where the allow list
 * permits.
 */
export function localPickers({ allowed, ...access }: PickerAccess): PickerConnectorFactory {
  const policy = { loopback: true, allowed };
  return (from) => networkConnector({ ...from, ...access, isSimulated: true, policy });
}

/**
 * Reaches the pickers of another cluster: only where the allow list permits, which has to name loopback addresses
 * explicitly.
 */
export function allowedPickers({ allowed, ...access }: PickerAccess): PickerConnectorFactory {
  const policy = { loopback: false, allowed };
  return (from) => networkConnector({ ...from, ...access, isSimulated: false, policy });
}
