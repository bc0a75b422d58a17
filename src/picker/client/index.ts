// Calling pod pickers: the published subpath `trimtab/picker/client`.

export { type AllowList, emptyAllowList, parseAllowList } from "../addresses/address-policy.ts";
export type { PickerClient } from "../picker-client.ts";
export type { FailureClass, PickerFailure } from "../picker-failure.ts";
export type { PickerOutcome } from "../../decisions/downscale/picker-outcome.ts";
export { type PickerSettings, readPickerSettings } from "../picker-settings.ts";
export { createPickerClient, type CreatePickerClientOptions } from "../picker-client.ts";
export { networkConnector } from "../network-connector.ts";
export type { PickerConnector } from "../picker-connector.ts";
export { endpointAnnotation } from "../../api/well-known.ts";
export { scoringPicker, type SimulatedPicker, simulatedConnector } from "../simulated-picker.ts";
export { type CallLimits, defaultCallLimits } from "../call/call-limiter.ts";
export type { PickerWorkload } from "../picker-workload.ts";
export type { PickPodsRequest } from "../transport/transport.ts";
