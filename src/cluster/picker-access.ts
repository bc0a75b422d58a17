import { replicaSets } from "../api/resources.ts";
import type { WorkloadControllersOptions } from "../controllers/workload-controllers.ts";
import type { Client } from "../machinery/client/client.ts";
import { type Clock, networkClock } from "../machinery/clock/clock.ts";
import { createPickerClient } from "../picker/picker-client.ts";
import type { PickerConnector } from "../picker/picker-connector.ts";
import { simulatedConnector } from "../picker/simulated-picker.ts";

/** Creates the connector through which a cluster reaches its pod pickers. */
export type PickerConnectorFactory = (from: {
  readonly client: Client;
  readonly clock: Clock;
}) => PickerConnector;

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
