import { type FieldError, invalid, notSupported, required } from "../../../../api/field-error.ts";
import { each, type FieldErrors, immutable } from "../../../../api/field-checks.ts";
import { dns1123SubdomainProblems } from "../../../../api/names.ts";
import { isEstablished } from "../../custom-resources/definition-conditions.ts";
import type { ObjectUpdate, StrategyContext } from "../kind-strategy.ts";
import type { SentDefinition } from "./strategy.ts";
import { validateApproval } from "./validate-approval.ts";
import { validateConversion } from "./validate-conversion.ts";
import { requireNames, validateNames } from "./validate-names.ts";
import { type SentVersion, validateVersion } from "./validate-version.ts";
import { validateVersionParts } from "./validate-version-parts.ts";

/** Validates a CustomResourceDefinition, new or updated; `stored` is the version that an update replaces. */
export function validateDefinition(
  definition: SentDefinition,
  _context: StrategyContext,
  stored?: SentDefinition,
): FieldErrors {
  return [
    ...(stored === undefined ? validateName(definition) : []),
    ...validateSpec(definition, stored),
    ...validateStoredVersions(definition),
    ...validateApproval(definition, stored),
    ...validatePreserving(definition, stored),
  ];
}

/** Validates what an update of a CustomResourceDefinition may not change. */
export function validateDefinitionUpdate({ next, previous }: ObjectUpdate<SentDefinition>): FieldErrors {
  const [after, before] = [next.spec ?? {}, previous.spec ?? {}];
  const established = isEstablished(previous)
    ? [
        ...immutable(after.scope, before.scope, "spec.scope"),
        ...immutable(after.names?.kind, before.names?.kind, "spec.names.kind"),
      ]
    : [];
  return [
    ...established,
    ...immutable(after.group, before.group, "spec.group"),
    ...immutable(after.names?.plural, before.names?.plural, "spec.names.plural"),
  ];
}

function validateName({ metadata, spec }: SentDefinition): FieldErrors {
  const { name = "" } = metadata ?? {};
  const wanted = `${spec?.names?.plural ?? ""}.${spec?.group ?? ""}`;
  if (name === "" || name === wanted) return [];
  return [invalid("metadata.name", name, 'must be spec.names.plural+"."+spec.group')];
}

function validateSpec(
  { spec = {}, ...rest }: SentDefinition,
  stored: SentDefinition | undefined,
): FieldErrors {
  const { group = "", scope = "", names = {}, versions = [], conversion = { strategy: "None" } } = spec;
  const isUnchanged = versions === stored?.spec?.versions;
  return [
    ...validateGroup(group),
    ...validateScope(scope),
    ...validateVersions(versions),
    ...requireNames(names, "spec.names"),
    ...validateNames(names, "spec.names"),
    ...(isUnchanged ? [] : validateVersionParts({ ...rest, spec }, stored)),
    ...validateConversion(conversion, "spec.conversion"),
  ];
}

function validateVersions(versions: readonly SentVersion[]): FieldErrors {
  const errors: FieldError[] = [];
  for (const [index, { schema }] of versions.entries())
    if (schema?.openAPIV3Schema === undefined)
      errors.push(required(`spec.versions[${index}].schema.openAPIV3Schema`));
  errors.push(...each(versions, "spec.versions", validateVersion));
  if (new Set(versions.map(({ name }) => name)).size < versions.length)
    errors.push(invalid("spec.versions", undefined, "must contain unique version names"));
  if (versions.filter(({ storage }) => storage === true).length !== 1)
    errors.push(
      invalid("spec.versions", undefined, "must have exactly one version marked as storage version"),
    );
  return errors;
}

function validateGroup(group: string): FieldErrors {
  if (group === "") return [required("spec.group")];
  const problems = dns1123SubdomainProblems(group);
  if (problems.length > 0) return [invalid("spec.group", group, problems.join(","))];
  return group.includes(".")
    ? []
    : [invalid("spec.group", group, "should be a domain with at least one dot")];
}

function validateScope(scope: string): FieldErrors {
  if (scope === "") return [required("spec.scope")];
  return scope === "Cluster" || scope === "Namespaced"
    ? []
    : [notSupported("spec.scope", scope, ["Cluster", "Namespaced"])];
}

/** Reports removed versions in which objects may still be stored. */
function validateStoredVersions({ spec, status }: SentDefinition): FieldErrors {
  const names = new Set((spec?.versions ?? []).map(({ name }) => name));
  return (status?.storedVersions ?? []).flatMap((version, index) => {
    if (names.has(version)) return [];
    const why =
      `missing from spec.versions; ${version} was previously a storage version, and must remain in spec.versions ` +
      `until a storage migration ensures no data remains persisted in ${version} and removes ${version} from ` +
      "status.storedVersions";
    return [invalid(`status.storedVersions[${index}]`, version, why)];
  });
}

function validatePreserving({ spec }: SentDefinition, stored: SentDefinition | undefined): FieldErrors {
  const wasPreserving = stored?.spec?.preserveUnknownFields === true;
  if (spec?.preserveUnknownFields !== true || wasPreserving) return [];
  const why =
    "cannot set to true, set x-kubernetes-preserve-unknown-fields to true in spec.versions[*].schema instead";
  return [invalid("spec.preserveUnknownFields", true, why)];
}
