import { replicaSets } from "../api/resources.ts";
import type { WorkloadDependencies } from "../controllers/workload-controllers.ts";
import type { Client } from "../machinery/client/client.ts";
import type { Clock } from "../machinery/clock/clock.ts";
import type { AllowList } from "../picker/address-policy.ts";
import { createPickerClient } from "../picker/create-picker-client.ts";
import { networkConnector, type PickerConnector } from "../picker/picker-connector.ts";
import { simulatedConnector } from "../picker/simulated-picker.ts";

/** Says how the pod pickers of a cluster are reached from within it. */
export type PickerConnectorFactory = (from: {
  readonly client: Client;
  readonly clock: Clock;
}) => PickerConnector;

/** What an operator says about pod pickers. */
export interface PickerAccess {
  /** An authority trusted besides the system's, as PEM. */
  readonly ca?: string | undefined;
  readonly allowed: AllowList;
  /** Of the product, as pickers are told it. */
  readonly version?: string;
  /** Where the API server is reached over a network, once it is: never a picker's place. */
  readonly apiServer?: () => string | undefined;
}

/** Pickers are real: on this machine where a Service's annotation says, or where they were allowed to be. */
export function localPickers({ allowed, ...access }: PickerAccess): PickerConnectorFactory {
  const policy = { loopback: true, allowed };
  return (from) => networkConnector({ ...from, ...access, isSimulated: true, policy });
}

/** Pickers of a cluster that is not ours: only where they were allowed to be, and never on this machine. */
export function allowedPickers({ allowed, ...access }: PickerAccess): PickerConnectorFactory {
  const policy = { loopback: false, allowed };
  return (from) => networkConnector({ ...from, ...access, isSimulated: false, policy });
}

const nowhere: PickerConnectorFactory = ({ clock }) => simulatedConnector(new Map(), clock);

/** What asks pickers for a controller; without a way to reach any, none is there. */
export function pickerPortFactory(
  reach: PickerConnectorFactory = nowhere,
): NonNullable<WorkloadDependencies["pickers"]> {
  return (deps) => {
    const owners = deps.informers.of(replicaSets);
    return createPickerClient({ ...deps, connector: reach(deps), owners: () => owners.list() });
  };
}
