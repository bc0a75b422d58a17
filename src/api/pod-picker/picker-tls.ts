import { forbidden } from "../field-error.ts";
import type { DownscalePodPicker, PodPickerTLS } from "../generated/apps-v1.ts";
import { dns1123SubdomainProblems } from "../names.ts";
import { type FieldErrors, none, requiredText } from "../field-checks.ts";
import type { Sent } from "../sent.ts";
import { dataKeyProblems } from "../value-syntax.ts";

/** Validates whom a picker's certificate may come from, and the certificate it is shown. */
export function validatePickerTls(
  { http, grpc, tls }: Pick<Sent<DownscalePodPicker>, "http" | "grpc" | "tls">,
  path: string,
): FieldErrors {
  if (tls === undefined) return none;
  const isPlainHttp = http !== undefined && http.scheme?.toUpperCase() !== "HTTPS";
  return [
    ...(isPlainHttp ? [forbidden(path, "may only be set with the scheme HTTPS")] : none),
    ...(grpc?.tls === false ? [forbidden(path, "may not be set when grpc.tls is false")] : none),
    ...validateMembers(tls, path),
  ];
}

function validateMembers(
  { caSecretRef, clientCertificateSecretRef, serverName = "" }: Sent<PodPickerTLS>,
  path: string,
): FieldErrors {
  return [
    ...(caSecretRef === undefined
      ? none
      : [
          ...requiredText(caSecretRef.name, `${path}.caSecretRef.name`, dns1123SubdomainProblems),
          ...requiredText(caSecretRef.key, `${path}.caSecretRef.key`, dataKeyProblems),
        ]),
    ...(clientCertificateSecretRef === undefined
      ? none
      : requiredText(
          clientCertificateSecretRef.name,
          `${path}.clientCertificateSecretRef.name`,
          dns1123SubdomainProblems,
        )),
    ...(serverName === "" ? none : requiredText(serverName, `${path}.serverName`, dns1123SubdomainProblems)),
  ];
}
