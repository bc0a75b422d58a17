// Writing a pod picker: the published subpath `trimtab/picker`. It loads no other part of the package; calling pickers is
// `trimtab/picker/client`.

export { createPicker, type Picker } from "./kit/create-picker.ts";
export type { Answered, PickAnswer, Refused } from "./kit/answer-questions.ts";
export type { Listening, ListenOptions } from "./kit/listen.ts";
export type { PickQuestion, PickRequest, PodChoice, PodName } from "./kit/pick-request.ts";
export type {
  PickFunction,
  PickerHandler,
  PickerOptions,
  PickerSettingsOptions,
} from "./kit/picker-options.ts";
export type { Score } from "./kit/score-pods.ts";
export type { ServingTls } from "./kit/serving-tls.ts";
