import type { DownscalePodPicker, PodPickerHeader } from "../../generated/apps-v1.ts";
import type { Sent } from "../sent.ts";

/** Warns of secrets that would cross the network for everyone to read. */
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
