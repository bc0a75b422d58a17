import { replicaSets } from "../api/resources.ts";
import type { WorkloadControllersOptions } from "../controllers/workload-controllers.ts";
import type { Client } from "../machinery/client/client.ts";
import { type Clock, networkClock } from "../machinery/clock/clock.ts";
import type { AllowList } from "../picker/addresses/address-policy.ts";
import type { CallLimits } from "../picker/call/call-limiter.ts";
import { createPickerClient } from "../picker/picker-client.ts";
import { networkConnector, type PickerConnector } from "../picker/picker-connector.ts";
import { simulatedConnector } from "../picker/simulated-picker.ts";

/** Creates the connector through which a cluster reaches its pod pickers. */
export type PickerConnectorFactory = (from: {
  readonly client: Client;
  readonly clock: Clock;
}) => PickerConnector;

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

const noPickers: PickerConnectorFactory = ({ clock }) => simulatedConnector(new Map(), clock);

/** Creates the picker client of a controller; without a connector it finds no pickers. */
export function pickerPortFactory(
  connectorFor: PickerConnectorFactory = noPickers,
): NonNullable<WorkloadControllersOptions["pickers"]> {
  return ({ client, clock, random, log, metrics, informers, signal }) => {
    const owners = informers.of(replicaSets);
    return createPickerClient({
      client,
      clock,
      random,
      log,
      metrics,
      connector: connectorFor({ client, clock: networkClock(clock) }),
      owners: () => owners.list(),
      signal,
    });
  };
}
