import { schemaJson } from "../generated/schema-json.ts";

/** One field in the schema table; schema/README.md explains each property. */
export interface FieldFacts {
  /** Exactly one of `type`, `list` and `map` is there: a single value, an array, or a string-keyed map of it. */
  readonly type?: string;
  readonly list?: string;
  readonly map?: string;
  /** The protobuf field number. */
  readonly wire?: number;
  readonly pointer?: boolean;
  readonly always?: boolean;
  readonly inline?: boolean;
  readonly required?: boolean;
  readonly listType?: "atomic" | "set" | "map";
  readonly keys?: readonly string[];
  readonly mapType?: "atomic" | "granular";
  readonly patch?: "merge" | "retainKeys" | "merge,retainKeys" | "replace";
  readonly mergeKey?: string;
  readonly enum?: readonly string[];
  readonly default?: string | number | boolean;
  /** Added by Trimtab; not in Kubernetes. */
  readonly ours?: boolean;
}

export interface TypeFacts {
  /** In the order Kubernetes writes them. */
  readonly fields: Readonly<Record<string, FieldFacts>>;
  readonly mapType?: "atomic" | "granular";
  readonly union?: { readonly discriminator?: string; readonly fields: Readonly<Record<string, string>> };
  /** False for types without a protobuf form. */
  readonly proto?: boolean;
}

/** A type with a JSON form of its own. */
export interface ScalarFacts {
  readonly openapi?: string;
  readonly json: string | readonly string[];
  readonly format?: string;
  readonly message: Readonly<Record<string, FieldFacts>>;
}

export interface SubresourceFacts {
  readonly name: string;
  /** `group/version/Kind` of its bodies. */
  readonly kind: string;
  readonly verbs: readonly string[];
}

/** A resource of the API. */
export interface KindFacts {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly plural: string;
  readonly singular: string;
  readonly namespaced: boolean;
  readonly shortNames?: readonly string[];
  readonly categories?: readonly string[];
  readonly verbs: readonly string[];
  /** The type of its objects. */
  readonly type: string;
  readonly subresources?: readonly SubresourceFacts[];
}

export interface GroupFacts {
  readonly group: string;
  readonly versions: readonly string[];
  readonly preferred: string;
}

export interface PackageFacts {
  readonly openapi: string;
  readonly group: string;
  readonly version: string;
}

interface Numbered {
  readonly wire: number;
}

/** The message around every protobuf body. */
export interface EnvelopeFacts {
  /** The bytes before it, in hex. */
  readonly magic: string;
  readonly message: Readonly<Record<"raw" | "contentEncoding" | "contentType", Numbered>> & {
    readonly typeMeta: Numbered & { readonly message: Readonly<Record<"apiVersion" | "kind", Numbered>> };
  };
}

/** The whole table: the Kubernetes API and the fields that Trimtab adds. */
export interface SchemaTable {
  readonly kubernetes: string;
  readonly envelope: EnvelopeFacts;
  readonly groups: readonly GroupFacts[];
  readonly kinds: readonly KindFacts[];
  readonly types: ReadonlyMap<string, TypeFacts>;
  readonly scalars: ReadonlyMap<string, ScalarFacts>;
  readonly packages: ReadonlyMap<string, PackageFacts>;
  /** `group/version/Kind` to type; a kind of every group and version is under `*`. */
  readonly objects: ReadonlyMap<string, string>;
  /** `group/version/plural` and `group/version/Kind` to kind. */
  readonly kindsByPlural: ReadonlyMap<string, KindFacts>;
  readonly kindsByKind: ReadonlyMap<string, KindFacts>;
}

type StoredTable = Pick<SchemaTable, "kubernetes" | "envelope" | "groups" | "kinds"> &
  Readonly<
    Record<"types", Record<string, TypeFacts>> &
      Record<"scalars", Record<string, ScalarFacts>> &
      Record<"packages", Record<string, PackageFacts>> &
      Record<"objects", Record<string, string>>
  >;

let table: SchemaTable | undefined;

/** The schema table, parsed on first use. */
export function schemaTable(): SchemaTable {
  table ??= index(JSON.parse(schemaJson) as StoredTable);
  return table;
}

// Maps, because names come from requests: `constructor` and `__proto__` must not find inherited members.
function index(stored: StoredTable): SchemaTable {
  const prefix = ({ group, version }: KindFacts) => `${group}/${version}`;
  return {
    ...stored,
    types: new Map(Object.entries(stored.types)),
    scalars: new Map(Object.entries(stored.scalars)),
    packages: new Map(Object.entries(stored.packages)),
    objects: new Map(Object.entries(stored.objects)),
    kindsByPlural: new Map(stored.kinds.map((kind) => [`${prefix(kind)}/${kind.plural}`, kind])),
    kindsByKind: new Map(stored.kinds.map((kind) => [`${prefix(kind)}/${kind.kind}`, kind])),
  };
}

/** The collection served under a path; the core group is the empty one. */
export function kindByPlural(group: string, version: string, plural: string): KindFacts | undefined {
  return schemaTable().kindsByPlural.get(`${group}/${version}/${plural}`);
}

/** The collection that holds objects of a kind: `apps/v1` and `Deployment`, `v1` and `Pod`. */
export function kindByName(apiVersion: string, kind: string): KindFacts | undefined {
  const groupVersion = apiVersion.includes("/") ? apiVersion : `/${apiVersion}`;
  return schemaTable().kindsByKind.get(`${groupVersion}/${kind}`);
}

/** The type of bodies with this apiVersion and kind: objects, lists, options, subresources. */
export function bodyType(apiVersion: string, kind: string): string | undefined {
  const { objects } = schemaTable();
  return objects.get(`${apiVersion}/${kind}`) ?? objects.get(`*/${kind}`);
}
