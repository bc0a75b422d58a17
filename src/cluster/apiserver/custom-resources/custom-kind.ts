import { toBase64 } from "../../../api/base64.ts";
import { sha256 } from "../../../machinery/hashing/sha256.ts";
import type {
  CustomResourceDefinition,
  CustomResourceDefinitionNames,
  CustomResourceDefinitionVersion,
} from "../../../api/generated/apiextensions-v1.ts";
import type { JsonObject } from "../../../api/json.ts";
import type { GroupKind } from "../../../api/resource.ts";
import type { ServedKind } from "../kind-registry.ts";
import type { ServedResource, Subresource } from "../served-resource.ts";
import { compareVersions } from "../discovery/listed-resource.ts";
import { askedConversion } from "./conversion/asked-conversion.ts";
import type { ConvertObject } from "./conversion/object-converter.ts";
import { customKindSchema } from "./custom-kind-schema.ts";
import { customStrategy } from "./custom-strategy.ts";
import { printerTable } from "./printer-columns/printer-table.ts";
import { compileRules } from "./rules/compile-rules.ts";
import type { SchemaRules } from "./rules/schema-rules.ts";
import { lazily } from "./lazily.ts";
import { readStructuralSchema } from "./structural/read-structural-schema.ts";
import type { StructuralSchema } from "./structural/structural-schema.ts";
import { versionConversion } from "./version-conversion.ts";

/** What a version of a custom kind is served by. */
export interface CustomVersion {
  readonly group: string;
  readonly kind: string;
  readonly name: string;
  readonly listKind: string;
  /** Read when it is first needed: a server may start with hundreds of schemas that no request needs. */
  readonly schema: () => StructuralSchema;
  readonly rules: () => SchemaRules | undefined;
  readonly definition: CustomResourceDefinitionVersion;
  /** Made once, however often the rest of the definition changes. */
  readonly served: Pick<ServedResource, "schema" | "table" | "strategy">;
}

const verbs = ["delete", "deletecollection", "get", "list", "patch", "create", "update", "watch"];
const verbsWhileTerminating = ["delete", "deletecollection", "get", "list", "watch"];
const subresourceVerbs = ["get", "patch", "update"];

/** The newest versions of a kind: a watch goes on with those it began with, and meets objects in later ones. */
export interface VersionsHolder {
  current: ReadonlyMap<string, CustomVersion>;
}

/** Returns how the objects of an established definition are served, in each version that is. */
export function customKind(
  definition: CustomResourceDefinition,
  holder: VersionsHolder,
  convert?: ConvertObject,
): ServedKind {
  const { spec, status } = definition;
  const { group, names } = spec;
  const { kind } = names;
  const shown = shownNames(names, status?.acceptedNames);
  const versions = new Map<string, CustomVersion>();
  for (const version of spec.versions) {
    const former = holder.current.get(version.name);
    const isUnchanged = former?.definition === version && former.listKind === shown.listKind;
    const next = isUnchanged ? former : customVersion({ group, kind, listKind: shown.listKind }, version);
    versions.set(version.name, next);
  }
  holder.current = versions;
  const served = [...versions.values()].filter((version) => version.definition.served);
  const setting = { versions, holder, storage: storageVersion(spec) };
  const hash = hashOf(
    { group, kind },
    served.find((each) => each.definition.storage),
  );
  const newest = lazily(() => newestOf(served));
  const conversionOf =
    convert === undefined ? versionConversion(setting) : askedConversion({ ...setting, convert });
  return {
    group,
    kind,
    versions: served.map((version) =>
      resourceOf(definition, version, {
        ...shown,
        ...deprecationOf(version, newest),
        ...hash,
        conversion: conversionOf(version.name),
      }),
    ),
  };
}

/** Returns upstream's hash of the stored version, which discovery shows while that version is served. */
function hashOf(
  { group, kind }: GroupKind,
  storage: CustomVersion | undefined,
): Pick<ServedResource, "storageVersionHash"> {
  if (storage === undefined) return {};
  const hash = sha256().update(`${group}/${storage.name}/${kind}`).digest();
  return { storageVersionHash: toBase64(hash.subarray(0, 8)) };
}

function storageVersion({ versions }: CustomResourceDefinition["spec"]): string {
  return versions.find(({ storage }) => storage)?.name ?? "";
}

function customVersion(
  { group, kind, listKind }: Pick<CustomVersion, "group" | "kind" | "listKind">,
  definition: CustomResourceDefinitionVersion,
): CustomVersion {
  // The schema is part of a stored object, which is JSON.
  const source = definition.schema?.openAPIV3Schema as JsonObject | undefined;
  const schema = lazily(() => readStructuralSchema(source));
  const rules = lazily(() => compileRules({ schema: schema(), path: "", limitsCost: false }).rules);
  const { name } = definition;
  const kindSchema = customKindSchema(
    {
      group,
      version: name,
      kind,
      listKind,
      selectableFields: (definition.selectableFields ?? []).map(({ jsonPath }) => jsonPath),
    },
    schema,
  );
  const version = { group, kind, listKind, name, schema, rules, definition };
  const table = printerTable(definition.additionalPrinterColumns ?? []);
  return { ...version, served: { schema: kindSchema, table, strategy: customStrategy(version) } };
}

/** What a resource has besides what its version is served by. */
type Shown = Pick<
  ServedResource,
  | "singular"
  | "shortNames"
  | "categories"
  | "listKind"
  | "storageVersionHash"
  | "deprecationWarning"
  | "conversion"
>;

function resourceOf(
  { spec, metadata }: CustomResourceDefinition,
  version: CustomVersion,
  shown: Shown,
): ServedResource {
  const { group, names, scope } = spec;
  const { name, definition } = version;
  const head = { group, version: name, kind: names.kind };
  const isTerminating = metadata.deletionTimestamp !== undefined;
  return {
    ...head,
    plural: names.plural,
    namespaced: scope === "Namespaced",
    ...shown,
    ...version.served,
    verbs,
    ...(isTerminating && { isTerminating, listedVerbs: verbsWhileTerminating }),
    subresources: subresourcesOf(version),
    ...(definition.subresources?.scale !== undefined && { scalePaths: definition.subresources.scale }),
    isCustom: true,
    collection: `${names.plural}.${group}`,
  };
}

/** Returns the names that the definition got. */
function shownNames(
  { kind, listKind: wanted = `${kind}List` }: CustomResourceDefinitionNames,
  accepted: Partial<CustomResourceDefinitionNames> = {},
) {
  const { singular = "", shortNames = [], categories = [], listKind = wanted } = accepted;
  return { singular, shortNames, categories, listKind };
}

function subresourcesOf({ group, kind, name, definition }: CustomVersion): readonly Subresource[] {
  const { status, scale } = definition.subresources ?? {};
  const own = { name: "status", kind: `${group}/${name}/${kind}`, verbs: subresourceVerbs };
  const scaling = { name: "scale", kind: "autoscaling/v1/Scale", verbs: subresourceVerbs };
  return [...(status === undefined ? [] : [own]), ...(scale === undefined ? [] : [scaling])];
}

/** Returns the version that takes the place of deprecated ones, if there is any. */
function newestOf(served: readonly CustomVersion[]): string | undefined {
  const current = served.filter(({ definition }) => definition.deprecated !== true).map(({ name }) => name);
  return current.toSorted(compareVersions)[0];
}

function deprecationOf(
  { group, kind, name, definition }: CustomVersion,
  newestVersion: () => string | undefined,
): Pick<ServedResource, "deprecationWarning"> {
  if (definition.deprecated !== true) return {};
  const { deprecationWarning } = definition;
  if (deprecationWarning !== undefined) return { deprecationWarning };
  const newest = newestVersion();
  const isBetter = newest !== undefined && compareVersions(newest, name) < 0;
  const instead = isBetter ? `; use ${group}/${newest} ${kind}` : "";
  return { deprecationWarning: `${group}/${name} ${kind} is deprecated${instead}` };
}
