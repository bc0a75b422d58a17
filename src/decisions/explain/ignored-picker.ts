/** What users are told about a pod picker that is never asked. */
export const ignoredPickerMessage = "pod pickers are switched off in this cluster";

/** The event on a workload whose pod picker is never asked. */
export const ignoredPickerEvent = {
  type: "Warning",
  reason: "DownscalePodPickerIgnored",
  message: `${ignoredPickerMessage}: Pods are removed in the normal order (feature gate DownscalePodPicker)`,
} as const;
