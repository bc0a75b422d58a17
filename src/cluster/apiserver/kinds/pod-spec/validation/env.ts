import { invalid } from "../../../../../api/field-error.ts";
import type { EnvFromSource, EnvVar, EnvVarSource } from "../../../../../api/generated/core-v1.ts";
import { dns1123SubdomainProblems, generateNameProblems } from "../../../../../api/names.ts";
import { each, type FieldErrors, none, requiredText, wellFormed } from "../../../../../api/field-checks.ts";
import type { Sent } from "../../../../../api/sent.ts";
import { envNameProblems } from "../../../../../api/value-syntax.ts";
import {
  validateFieldRef,
  validateFileKeyRef,
  validateKeyRef,
  validateResourceFieldRef,
} from "./field-references.ts";

const podFields = [
  "metadata.name",
  "metadata.namespace",
  "metadata.uid",
  "spec.nodeName",
  "spec.serviceAccountName",
  "status.hostIP",
  "status.hostIPs",
  "status.podIP",
  "status.podIPs",
];

/** Validates environment variables. */
export function validateEnv(variables: readonly Sent<EnvVar>[] | undefined, path: string): FieldErrors {
  return each(variables, path, ({ name, value = "", valueFrom }, at) => [
    ...requiredText(name, `${at}.name`, envNameProblems),
    ...(valueFrom === undefined ? none : validateSource(valueFrom, value, `${at}.valueFrom`)),
  ]);
}

function validateSource(source: Sent<EnvVarSource>, value: string, path: string): FieldErrors {
  const { fieldRef, resourceFieldRef, configMapKeyRef, secretKeyRef, fileKeyRef } = source;
  const found = [
    fieldRef && validateFieldRef(fieldRef, `${path}.fieldRef`, podFields),
    resourceFieldRef && validateResourceFieldRef(resourceFieldRef, `${path}.resourceFieldRef`),
    configMapKeyRef && validateKeyRef(configMapKeyRef, `${path}.configMapKeyRef`),
    secretKeyRef && validateKeyRef(secretKeyRef, `${path}.secretKeyRef`),
    fileKeyRef && validateFileKeyRef(fileKeyRef, `${path}.fileKeyRef`),
  ].filter((errors) => errors !== undefined);
  return [...found.flat(), ...validateSourceCount(found.length, value, path)];
}

function validateSourceCount(count: number, value: string, path: string): FieldErrors {
  if (count === 0) {
    const names = "`fieldRef`, `resourceFieldRef`, `configMapKeyRef`, `secretKeyRef` or `fileKeyRef`";
    return [invalid(path, "", `must specify one of: ${names}`)];
  }
  if (value !== "") return [invalid(path, "", "may not be specified when `value` is not empty")];
  return count > 1 ? [invalid(path, "", "may not have more than one field specified at a time")] : none;
}

/** Validates `envFrom`: ConfigMaps and Secrets whose keys become variables. */
export function validateEnvFrom(
  sources: readonly Sent<EnvFromSource>[] | undefined,
  path: string,
): FieldErrors {
  return each(sources, path, ({ prefix, configMapRef, secretRef }, at) => {
    const found = [
      configMapRef && validateName(configMapRef.name, `${at}.configMapRef.name`),
      secretRef && validateName(secretRef.name, `${at}.secretRef.name`),
    ].filter((errors) => errors !== undefined);
    return [
      ...wellFormed(prefix, `${at}.prefix`, envNameProblems),
      ...found.flat(),
      // upstream puts these errors at the list
      ...(found.length === 0
        ? [invalid(path, "", "must specify one of: `configMapRef` or `secretRef`")]
        : none),
      ...(found.length > 1
        ? [invalid(path, "", "may not have more than one field specified at a time")]
        : none),
    ];
  });
}

function validateName(name: string | undefined, path: string): FieldErrors {
  return requiredText(name, path, (text) => generateNameProblems(text, dns1123SubdomainProblems));
}
