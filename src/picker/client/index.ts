// Calling pod pickers: the published subpath `trimtab/picker/client`.

export {
  type AddressPolicy,
  type AllowList,
  isAddressAllowed,
  emptyAllowList,
  type ParsedAllowList,
  parseAllowList,
} from "../addresses/address-policy.ts";
export { callPicker, type CallDependencies, type PickerRequest } from "../call/call-picker.ts";
export { grpcTransport } from "../transport/grpc-transport.ts";
export { httpTransport } from "../transport/http-transport.ts";
export { PickerClient } from "../picker-client.ts";
export type { FailureClass, PickerFailure } from "../picker-failure.ts";
export type { PickerOutcome } from "../../decisions/downscale/picker-outcome.ts";
export { type PickerSettings, type Protocol, readPickerSettings } from "../picker-settings.ts";
export { createPickerClient, type CreatePickerClientOptions } from "../create-picker-client.ts";
export { networkConnector, type NetworkConnectorOptions, type PickerConnector } from "../picker-connector.ts";
export { endpointAnnotation } from "../addresses/service-endpoints.ts";
export { scoringPicker, type SimulatedPicker, simulatedConnector } from "../simulated-picker.ts";
export { CallLimiter, type CallLimits, defaultCallLimits } from "../call/call-limiter.ts";
export type { PickerWorkload } from "../picker-workload.ts";
export type {
  Attempt,
  PickPodsRequest,
  AttemptResult,
  Target,
  Transport,
  Transports,
} from "../transport/transport.ts";
