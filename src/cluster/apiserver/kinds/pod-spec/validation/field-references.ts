import { invalid, notSupported, required } from "../../../../../api/field-error.ts";
import type {
  ConfigMapKeySelector,
  FileKeySelector,
  ObjectFieldSelector,
  ResourceFieldSelector,
} from "../../../../../api/generated/core-v1.ts";
import { qualifiedNameProblems } from "../../../../../api/labels/label-syntax.ts";
import { dns1123LabelProblems, dns1123SubdomainProblems } from "../../../../../api/names.ts";
import { canonicalQuantity } from "../../../../../api/quantity/format-quantity.ts";
import { type FieldErrors, none, requiredText } from "../../../../../api/field-checks.ts";
import type { Sent } from "../../../../../api/sent.ts";
import { backstepProblems, dataKeyProblems, envNameProblems } from "../../../../../api/value-syntax.ts";

const knownFields = new Set([
  "metadata.annotations",
  "metadata.labels",
  "metadata.name",
  "metadata.namespace",
  "metadata.uid",
  "spec.nodeName",
  "spec.restartPolicy",
  "spec.serviceAccountName",
  "spec.schedulerName",
  "status.phase",
  "status.hostIP",
  "status.hostIPs",
  "status.podIP",
  "status.podIPs",
]);

/** Validates a reference to a field of the Pod; `allowed` are the fields that are supported here. */
export function validateFieldRef(
  { apiVersion = "", fieldPath = "" }: Sent<ObjectFieldSelector>,
  path: string,
  allowed: readonly string[],
): FieldErrors {
  if (apiVersion === "") return [required(`${path}.apiVersion`)];
  if (fieldPath === "") return [required(`${path}.fieldPath`)];
  const problem = conversionProblem(apiVersion, fieldPath);
  if (problem !== undefined)
    return [invalid(`${path}.fieldPath`, fieldPath, `error converting fieldPath: ${problem}`)];
  const entry = mapEntry(fieldPath);
  if (entry !== undefined) {
    const key = entry.map === "metadata.annotations" ? entry.key.toLowerCase() : entry.key;
    return qualifiedNameProblems(key).map((text) => invalid(path, key, text));
  }
  const field = fieldPath === "spec.host" ? "spec.nodeName" : fieldPath;
  return allowed.includes(field) ? none : [notSupported(`${path}.fieldPath`, field, allowed)];
}

function conversionProblem(apiVersion: string, fieldPath: string): string | undefined {
  if (apiVersion !== "v1") return `unsupported pod version: ${apiVersion}`;
  const map = mapEntry(fieldPath)?.map;
  if (map === "metadata.annotations" || map === "metadata.labels") return undefined;
  if (map !== undefined) return `field label does not support subscript: ${fieldPath}`;
  const isKnown = knownFields.has(fieldPath) || fieldPath === "spec.host";
  return isKnown ? undefined : `field label not supported: ${fieldPath}`;
}

/** Splits `metadata.labels['app']` into path and subscript. */
function mapEntry(fieldPath: string): { readonly map: string; readonly key: string } | undefined {
  const [, map, key] = /^([^[\]']+)\['(.*)'\]$/s.exec(fieldPath) ?? [];
  return map === undefined || key === undefined ? undefined : { map, key };
}

const containerResources = ["cpu", "ephemeral-storage", "memory"].flatMap((name) => [
  `limits.${name}`,
  `requests.${name}`,
]);
containerResources.sort();

const sizes = ["1", "1k", "1M", "1G", "1T", "1P", "1E", "1Ki", "1Mi", "1Gi", "1Ti", "1Pi", "1Ei"];

/** Validates a reference to a container's resources. */
export function validateResourceFieldRef(ref: Sent<ResourceFieldSelector>, path: string): FieldErrors {
  const { resource = "", divisor = 0 } = ref;
  const hugePages = /^(requests|limits)\.hugepages-/.test(resource);
  const named = resource === "" ? [required(`${path}.resource`)] : none;
  const known = resource === "" || hugePages || containerResources.includes(resource);
  const unknown = known ? none : [notSupported(`${path}.resource`, resource, containerResources)];
  return [...named, ...unknown, ...validateDivisor(resource, divisor, `${path}.divisor`)];
}

function validateDivisor(resource: string, divisor: string | number, path: string): FieldErrors {
  const canonical = canonicalQuantity(divisor) ?? "";
  if (canonical === "0") return none;
  const title = divisibleTitle(resource);
  if (title === undefined) return none;
  const allowed = title === "cpu" ? ["1m", "1"] : sizes;
  const listed = title === "cpu" ? "1m and 1" : allowed.join(", ");
  return allowed.includes(canonical)
    ? none
    : [invalid(path, resource, `only divisor's values ${listed} are supported with the ${title} resource`)];
}

function divisibleTitle(resource: string): string | undefined {
  const name = resource.replace(/^(requests|limits)\./, "");
  if (name.startsWith("hugepages-")) return "hugepages";
  const titles = new Map([
    ["cpu", "cpu"],
    ["memory", "memory"],
    ["ephemeral-storage", "local ephemeral storage"],
  ]);
  return name === resource ? undefined : titles.get(name);
}

/** Validates a reference to one key of a ConfigMap or Secret. */
export function validateKeyRef({ name = "", key }: Sent<ConfigMapKeySelector>, path: string): FieldErrors {
  return [
    ...dns1123SubdomainProblems(name).map((problem) => invalid(`${path}.name`, name, problem)),
    ...requiredText(key, `${path}.key`, dataKeyProblems),
  ];
}

/** Validates a reference to a variable in a file of a volume. */
export function validateFileKeyRef(
  { key, volumeName, path: file }: Sent<FileKeySelector>,
  path: string,
): FieldErrors {
  return [
    ...requiredText(key, `${path}.key`, envNameProblems),
    ...requiredText(volumeName, `${path}.volumeName`, dns1123LabelProblems),
    ...requiredText(file, `${path}.path`, backstepProblems),
  ];
}
