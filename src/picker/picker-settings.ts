import type { PodPickerHeader } from "../api/generated/apps-v1.ts";
import type { Json } from "../api/json.ts";
import { type FilledPicker, pickerDefaults } from "../api/kinds/downscale-pod-picker/pod-picker.ts";
import { validatePicker } from "../api/kinds/downscale-pod-picker/validate-picker.ts";
import { decodeObject } from "../api/schema/decode-object.ts";

export type Protocol = "http" | "grpc";

/** The address of a picker, as in the manifest. */
export interface PickerAddress {
  readonly host: string;
  /** A number, or the name of a port of the Service that `host` names. */
  readonly port: number | string;
}

/** A picker's settings, validated, with defaults, in one form for both protocols. */
export interface PickerSettings extends PickerAddress {
  readonly protocol: Protocol;
  readonly tls: boolean;
  /** The path of the HTTP request; empty for gRPC. */
  readonly path: string;
  readonly headers: readonly PodPickerHeader[];
  readonly maxRetries: number;
  readonly timeoutMs: number;
}

const pickerType = "apps.v1.DownscalePodPicker";

/** Reads the picker of a workload; `undefined` if it would not pass the API server's validation. */
export function readPickerSettings(value: unknown): PickerSettings | undefined {
  const decoded = decodeObject(pickerType, value as Json);
  if (!decoded.ok) return undefined;
  const picker = pickerDefaults(decoded.object);
  return validatePicker(picker, "").length === 0 ? settingsOf(picker as FilledPicker) : undefined;
}

function settingsOf(picker: FilledPicker): PickerSettings | undefined {
  const { http, grpc, maxRetries, timeoutSeconds } = picker;
  const shared = { maxRetries, timeoutMs: timeoutSeconds * 1000 };
  if (http !== undefined) {
    const { host, port, path, scheme, httpHeaders: headers = [] } = http;
    return { ...shared, protocol: "http", host, port, path, headers, tls: scheme.toUpperCase() === "HTTPS" };
  }
  if (grpc === undefined) return undefined;
  const { host, port, tls, metadata: headers = [] } = grpc;
  return { ...shared, protocol: "grpc", host, port, path: "", headers, tls };
}
