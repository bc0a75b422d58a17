import { type FieldError, forbidden, invalid, notSupported, required, tooLong } from "../field-error.ts";
import type { DownscalePodPicker, GRPCPodPicker, HTTPPodPicker, PodPickerTLS } from "../generated/apps-v1.ts";
import { ipProblems } from "../ip-address.ts";
import { dns1123LabelProblems, dns1123SubdomainProblems, type NameProblems } from "../names.ts";
import { byteLength, dataKeyProblems } from "../value-syntax.ts";
import { type FieldErrors, none, portNumber, requiredText, wellFormed } from "../field-checks.ts";
import type { Sent } from "../sent.ts";
import { validatePickerHeaders } from "./picker-headers.ts";

const longestPath = 1024;

/** Validates a pod picker. The controller validates it again, since other API servers do not. */
export function validatePicker(picker: Sent<DownscalePodPicker>, path: string): FieldErrors {
  const { http, grpc, maxRetries, timeoutSeconds } = picker;
  return [
    ...validateProtocolCount(picker, path),
    ...(http === undefined ? none : validateHttp(http, `${path}.http`)),
    ...(grpc === undefined ? none : validateGrpc(grpc, `${path}.grpc`)),
    ...validateTls(picker, `${path}.tls`),
    ...between(maxRetries, `${path}.maxRetries`, [0, 10]),
    ...between(timeoutSeconds, `${path}.timeoutSeconds`, [1, 30]),
  ];
}

function validateProtocolCount({ http, grpc }: Sent<DownscalePodPicker>, path: string): FieldErrors {
  if (http === undefined && grpc === undefined) return [required(path, "must specify one of: http, grpc")];
  return http !== undefined && grpc !== undefined
    ? [forbidden(path, "may not specify more than one protocol")]
    : none;
}

function between(
  value: number | undefined,
  path: string,
  [min, max]: readonly [number, number],
): FieldErrors {
  if (value === undefined || (value >= min && value <= max)) return none;
  return [invalid(path, value, `must be between ${min} and ${max}`)];
}

function validateHttp(http: Sent<HTTPPodPicker>, path: string): FieldErrors {
  return [
    ...validateAddress(http, path),
    ...validatePath(http.path, `${path}.path`),
    ...validateScheme(http.scheme, `${path}.scheme`),
    ...validatePickerHeaders(http.httpHeaders, `${path}.httpHeaders`, "http"),
  ];
}

function validateGrpc(grpc: Sent<GRPCPodPicker>, path: string): FieldErrors {
  return [
    ...validateAddress(grpc, path),
    ...validatePickerHeaders(grpc.metadata, `${path}.metadata`, "grpc"),
  ];
}

interface Address {
  readonly host?: string;
  readonly port?: number | string;
}

function validateAddress({ host, port }: Address, path: string): FieldErrors {
  return [...requiredText(host, `${path}.host`, hostProblems), ...validatePort(port, `${path}.port`)];
}

/** A DNS name or an IP address without brackets; a host that looks like an address must be a valid one. */
function hostProblems(host: string): NameProblems {
  const isNumeric = /^[0-9.]+$/.test(host) || /^[0-9a-f.]*:[0-9a-f:.]*$/i.test(host);
  return isNumeric ? ipProblems(host) : dns1123SubdomainProblems(host);
}

function validatePort(port: number | string | undefined, path: string): FieldErrors {
  if (port === undefined || port === "") return [required(path)];
  if (typeof port === "number") return portNumber(port, path);
  // A name is one of the ports of the Service that `host` names; digits are meant as a number.
  return /^\d+$/.test(port)
    ? [
        ...portNumber(Number(port), path),
        invalid(path, port, `must be a number: write ${Number(port)}`),
      ].slice(0, 1)
    : wellFormed(port, path, dns1123LabelProblems);
}

function validatePath(target: string | undefined, path: string): FieldErrors {
  if (target === undefined || target === "") return none;
  const errors: FieldError[] = [];
  if (!target.startsWith("/")) errors.push(invalid(path, target, "must start with '/'"));
  if (/[\s\p{Cc}#]/u.test(target))
    errors.push(invalid(path, target, "must not contain spaces, control characters or '#'"));
  if (byteLength(target) > longestPath) return [tooLong(path, longestPath)];
  return errors;
}

function validateScheme(scheme: string | undefined, path: string): FieldErrors {
  const schemes = ["HTTP", "HTTPS"];
  if (scheme === undefined || schemes.includes(scheme.toUpperCase())) return none;
  return [notSupported(path, scheme, schemes)];
}

/** Validates which authority signs the picker's certificate, and which client certificate the picker receives. */
function validateTls(
  { http, grpc, tls }: Pick<Sent<DownscalePodPicker>, "http" | "grpc" | "tls">,
  path: string,
): FieldErrors {
  if (tls === undefined) return none;
  const isPlainHttp = http !== undefined && http.scheme?.toUpperCase() !== "HTTPS";
  return [
    ...(isPlainHttp ? [forbidden(path, "may only be set with the scheme HTTPS")] : none),
    ...(grpc?.tls === false ? [forbidden(path, "may not be set when grpc.tls is false")] : none),
    ...validateTlsMembers(tls, path),
  ];
}

function validateTlsMembers(
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
