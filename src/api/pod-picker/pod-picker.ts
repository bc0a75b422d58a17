import type {
  DownscalePodPicker,
  GRPCPodPicker,
  HTTPPodPicker,
  PodPickerCASecretReference,
  PodPickerHeader,
  PodPickerTLS,
} from "../generated/apps-v1.ts";
import { fillAbsent, fillEmpty, mapMembers, withMember } from "../defaulting.ts";
import type { FeatureGates } from "../feature-gates.ts";
import type { Sent } from "../sent.ts";

type With<T, Key extends keyof T> = T & Required<Pick<T, Key>>;

/** A valid pod picker with its defaults. */
export type FilledPicker = With<DownscalePodPicker, "maxRetries" | "timeoutSeconds"> & {
  readonly http?: With<HTTPPodPicker, "path" | "scheme">;
  readonly grpc?: With<GRPCPodPicker, "tls">;
  readonly tls?: PodPickerTLS & { readonly caSecretRef?: Required<PodPickerCASecretReference> };
};

/** A pod picker with its defaults: a timeout of one second for all attempts, and three retries. */
export function pickerDefaults(picker: Sent<DownscalePodPicker>): Sent<DownscalePodPicker> {
  return mapMembers(fillAbsent(picker, { maxRetries: 3, timeoutSeconds: 1 }), {
    http: (http) => fillEmpty(http, { path: "/", scheme: "HTTP" }),
    grpc: (grpc) => fillAbsent(grpc, { tls: true }),
    tls: (tls) => mapMembers(tls, { caSecretRef: (reference) => fillEmpty(reference, { key: "ca.crt" }) }),
  });
}

interface WithPicker {
  readonly downscalePodPicker?: Sent<DownscalePodPicker>;
}

/** Removes the picker from a workload's spec while the gate is off, unless the stored spec already has a picker. */
export function gatePicker<T extends WithPicker>(
  spec: T,
  stored: WithPicker | undefined,
  { gates }: { readonly gates: FeatureGates },
): T {
  if (gates.DownscalePodPicker || stored?.downscalePodPicker !== undefined) return spec;
  return spec.downscalePodPicker === undefined ? spec : withMember(spec, "downscalePodPicker", undefined);
}

/** Warns of header values from Secrets that would be sent unencrypted. */
export function pickerWarnings(
  picker: Sent<DownscalePodPicker> | undefined,
  path: string,
): readonly string[] {
  const { http = {}, grpc = {} } = picker ?? {};
  const isPlainHttp = hasSecret(http.httpHeaders) && http.scheme?.toUpperCase() !== "HTTPS";
  const isPlainGrpc = hasSecret(grpc.metadata) && grpc.tls === false;
  return [
    ...(isPlainHttp ? [`${path}.http: values from Secrets are sent unencrypted; use scheme HTTPS`] : []),
    ...(isPlainGrpc ? [`${path}.grpc: values from Secrets are sent unencrypted; use tls`] : []),
  ];
}

function hasSecret(headers: readonly Sent<PodPickerHeader>[] | undefined): boolean {
  return headers?.some(({ valueFrom }) => valueFrom?.secretKeyRef !== undefined) === true;
}
