import { deepEqual } from "../../../../api/deep-equal.ts";
import { withMember } from "../../../../api/defaulting.ts";
import type {
  CustomResourceConversion,
  CustomResourceDefinition,
  CustomResourceDefinitionNames,
  CustomResourceDefinitionSpec,
  CustomResourceDefinitionStatus,
} from "../../../../api/generated/apiextensions-v1.ts";
import type { Sent } from "../../../../api/sent.ts";
import type { KindStrategy } from "../kind-strategy.ts";
import { statusUpdateOf } from "../kind-strategy.ts";
import { definitionWarnings } from "./definition-warnings.ts";
import { validateDefinition, validateDefinitionUpdate } from "./validate-definition.ts";
import { validateNames } from "./validate-names.ts";
import { validateSchemaRules } from "./validate-schema-rules.ts";

type SentStatus = Sent<CustomResourceDefinitionStatus>;

/** A definition as clients send it, or as it is stored first: upstream, the conditions of a new one are null. */
export type SentDefinition = Omit<Sent<CustomResourceDefinition>, "status"> & {
  readonly status?: Omit<SentStatus, "conditions"> & {
    readonly conditions?: NonNullable<SentStatus["conditions"]> | null;
  };
};

/** The strategy of CustomResourceDefinitions. */
export const customResourceDefinitionStrategy: KindStrategy<SentDefinition> = {
  defaults: (definition) => withMember(definition, "spec", specWithDefaults(definition.spec ?? {})),
  prepareForCreate: (definition) => ({
    ...definition,
    status: {
      conditions: null,
      acceptedNames: { plural: "", kind: "" },
      storedVersions: storageVersions(definition),
    },
  }),
  prepareForUpdate: ({ next, previous }) => withStorageVersion(next, previous),
  prepareForStatusUpdate: (change) => withStoredVersions(statusUpdateOf<SentDefinition>(change)),
  validate: validateDefinition,
  validateFurther: validateSchemaRules,
  validateUpdate: validateDefinitionUpdate,
  validateStatusUpdate: ({ next }) => validateNames(next.status?.acceptedNames ?? {}, "status.acceptedNames"),
  warnings: (definition, _context, stored) => definitionWarnings(definition, stored),
  generation: "spec",
  returnsObjectOnDelete: true,
};

function storageVersions({ spec }: SentDefinition): readonly string[] {
  return (spec?.versions ?? []).filter(({ storage }) => storage === true).map(({ name = "" }) => name);
}

/** Returns the next version; a new storage version is added to the stored versions. */
function withStorageVersion(next: SentDefinition, previous: SentDefinition): SentDefinition {
  const stored = previous.status?.storedVersions ?? [];
  const added = storageVersions(next).filter((name) => !stored.includes(name));
  if (added.length === 0) return next;
  return { ...next, status: { ...next.status, storedVersions: [...stored, ...added] } };
}

/** upstream: an empty list of stored versions gets the storage version by default. */
function withStoredVersions(definition: SentDefinition): SentDefinition {
  const { status } = definition;
  if ((status?.storedVersions ?? []).length > 0) return definition;
  return { ...definition, status: { ...status, storedVersions: storageVersions(definition) } };
}

type Spec = Sent<CustomResourceDefinitionSpec>;

function specWithDefaults(spec: Spec): Spec {
  const names = namesWithDefaults(spec.names ?? {});
  const conversion = conversionWithDefaults(spec.conversion);
  const completed = { ...spec, names, conversion };
  return deepEqual(completed, spec) ? spec : completed;
}

function namesWithDefaults(names: Sent<CustomResourceDefinitionNames>): Sent<CustomResourceDefinitionNames> {
  const { kind = "", singular = "", listKind = "" } = names;
  return {
    ...names,
    ...(singular === "" && kind !== "" && { singular: kind.toLowerCase() }),
    ...(listKind === "" && kind !== "" && { listKind: `${kind}List` }),
  };
}

type Conversion = Sent<CustomResourceConversion>;

function conversionWithDefaults(conversion: Conversion = {}): Conversion {
  const { strategy = "", webhook } = conversion;
  const service = webhook?.clientConfig?.service;
  const named = strategy === "" ? { ...conversion, strategy: "None" } : conversion;
  if (service === undefined || (service.port ?? 0) !== 0) return named;
  const clientConfig = { ...webhook?.clientConfig, service: { ...service, port: 443 } };
  return { ...named, webhook: { ...webhook, clientConfig } };
}
