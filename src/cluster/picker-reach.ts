import { replicaSets } from "../api/resources.ts";
import type { WorkloadDependencies } from "../controllers/workload-controllers.ts";
import type { Client } from "../machinery/client/client.ts";
import type { Clock } from "../machinery/clock/clock.ts";
import type { AllowList } from "../picker/address-policy.ts";
import { podPickers } from "../picker/pod-pickers.ts";
import { networkReach, type Reach } from "../picker/reach.ts";
import { simulatedReach } from "../picker/simulated-picker.ts";

/** Says how the pod pickers of a cluster are reached from within it. */
export type PickerReach = (from: { readonly client: Client; readonly clock: Clock }) => Reach;

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
export function pickersNearby({ allowed, ...access }: PickerAccess): PickerReach {
  const policy = { loopback: true, allowed };
  return (from) => networkReach({ ...from, ...access, isSimulated: true, policy });
}

/** Pickers of a cluster that is not ours: only where they were allowed to be, and never on this machine. */
export function pickersAllowed({ allowed, ...access }: PickerAccess): PickerReach {
  const policy = { loopback: false, allowed };
  return (from) => networkReach({ ...from, ...access, isSimulated: false, policy });
}

const nowhere: PickerReach = ({ clock }) => simulatedReach(new Map(), clock);

/** What asks pickers for a controller; without a way to reach any, none is there. */
export function pickersOver(reach: PickerReach = nowhere): NonNullable<WorkloadDependencies["pickers"]> {
  return (deps) => {
    const owners = deps.informers.of(replicaSets);
    return podPickers({ ...deps, reach: reach(deps), owners: () => owners.list() });
  };
}
