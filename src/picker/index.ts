// Asking pod pickers: the published subpath `trimtab/picker`.

export {
  type AddressPolicy,
  type AllowList,
  isAddressAllowed,
  nobodyAllowed,
  type ParsedAllowList,
  parseAllowList,
} from "./address-policy.ts";
export { consult, type ConsultMeans, type Finding, type Inquiry } from "./consult.ts";
export { grpcTransport } from "./grpc-transport.ts";
export { httpTransport } from "./http-transport.ts";
export { PickerConsultations } from "./picker-consultations.ts";
export type { FailureClass, PickerFailure } from "./picker-failure.ts";
export { type PickerSettings, type Protocol, readPickerSettings } from "./picker-settings.ts";
export { podPickers, type PodPickersOptions } from "./pod-pickers.ts";
export { networkReach, type NetworkReachOptions, type Reach } from "./reach.ts";
export { endpointAnnotation } from "./service-places.ts";
export { scoringPicker, type SimulatedPicker, simulatedReach } from "./simulated-picker.ts";
export { Slots, type SlotLimits } from "./slots.ts";
export type { Call, Question, Reply, Target, Transport, Transports } from "./transport.ts";
