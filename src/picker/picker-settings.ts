import type { FieldError } from "../api/field-error.ts";
import type { PodPickerHeader } from "../api/generated/apps-v1.ts";
import type { Json } from "../api/json.ts";
import { type FilledPicker, pickerDefaults } from "../api/pod-picker/pod-picker.ts";
import { validatePicker } from "../api/pod-picker/validate-picker.ts";
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
  /** Absent: the CAs of the controller, and no client certificate. */
  readonly trust?: PickerTrust | undefined;
  readonly maxRetries: number;
  readonly timeoutMs: number;
}

/** The Secrets of a TLS connection, by name. */
export interface PickerTrust {
  readonly ca?: { readonly name: string; readonly key: string };
  readonly clientCertificate?: string;
  /** Default: the host. */
  readonly serverName?: string;
}

const pickerType = "apps.v1.DownscalePodPicker";

export type ReadPicker =
  | { readonly ok: true; readonly settings: PickerSettings }
  /** `problem` names the field and what it has to be, not its value: headers may hold secrets. */
  | { readonly ok: false; readonly problem: string };

/** Reads the picker of a workload as the API server would accept it. */
export function readPicker(value: unknown): ReadPicker {
  if (typeof value === "string")
    return { ok: false, problem: "the annotation is not JSON, or has too many levels or values" };
  const decoded = decodeObject(pickerType, value as Json);
  if (!decoded.ok) return { ok: false, problem: "not of the type of a pod picker" };
  const picker = pickerDefaults(decoded.object);
  const [error] = validatePicker(picker, "");
  const settings = error === undefined ? settingsOf(picker as FilledPicker) : undefined;
  return settings === undefined ? { ok: false, problem: problemOf(error) } : { ok: true, settings };
}

/** The settings of a picker; `undefined` if it would not pass the API server's validation. */
export function readPickerSettings(value: unknown): PickerSettings | undefined {
  const read = readPicker(value);
  return read.ok ? read.settings : undefined;
}

function problemOf(error: FieldError | undefined): string {
  const { field = "", detail = "" } = error ?? {};
  const path = field.replace(/^\./, "");
  const what = detail === "" ? "is required" : detail;
  return path === "" ? what : `${path}: ${what}`;
}

function settingsOf(picker: FilledPicker): PickerSettings | undefined {
  const { http, grpc, tls, maxRetries, timeoutSeconds } = picker;
  const shared = { maxRetries, timeoutMs: timeoutSeconds * 1000, trust: tls && trustOf(tls) };
  if (http !== undefined) {
    const { host, port, path, scheme, httpHeaders: headers = [] } = http;
    return { ...shared, protocol: "http", host, port, path, headers, tls: scheme.toUpperCase() === "HTTPS" };
  }
  if (grpc === undefined) return undefined;
  const { host, port, metadata: headers = [] } = grpc;
  return { ...shared, protocol: "grpc", host, port, path: "", headers, tls: grpc.tls };
}

function trustOf(tls: NonNullable<FilledPicker["tls"]>): PickerTrust {
  const {
    caSecretRef: ca,
    clientCertificateSecretRef: { name: clientCertificate = "" } = {},
    serverName = "",
  } = tls;
  return {
    ...(ca !== undefined && { ca }),
    ...(clientCertificate !== "" && { clientCertificate }),
    ...(serverName !== "" && { serverName }),
  };
}
