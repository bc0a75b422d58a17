import type { JsonObject } from "../../api/json.ts";
import type { KindStrategy } from "./kinds/kind-strategy.ts";
import type { KindSchema } from "./schema/kind-schema.ts";
import type { TableDescription } from "./tables/table-description.ts";
import type { Resource } from "../../api/resource.ts";

/** A subresource of an object: its path segment, the kind of its bodies and its verbs. */
export interface Subresource {
  readonly name: string;
  /** The kind of its bodies as `group/version/Kind`; core kinds as `version/Kind`. */
  readonly kind: string;
  readonly verbs: readonly string[];
}

/** Converts the objects of a resource that is stored as another version or group (upstream: conversion to the hub). */
export interface Conversion {
  readonly toStorage: (object: JsonObject) => JsonObject;
  readonly fromStorage: (object: JsonObject) => JsonObject;
  /**
   * Present where conversions take time, because a webhook makes them: converts objects beforehand, so that the functions
   * above can answer for them at once. `undefined` when nothing has to be awaited for these objects. Rejects with an
   * `ApiError` when one of them cannot be converted.
   */
  readonly ahead?: (objects: readonly JsonObject[], to: "served" | "stored") => Promise<void> | undefined;
}

/** The fields of an object that its Scale shows, as simple paths such as `.spec.replicas`. */
export interface ScalePaths {
  readonly specReplicasPath: string;
  readonly statusReplicasPath: string;
  readonly labelSelectorPath?: string;
}

/** A resource of the API server: its path, its verbs and subresources, and what it knows of its kind. */
export interface ServedResource extends Resource {
  readonly singular: string;
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
  readonly verbs: readonly string[];
  readonly subresources: readonly Subresource[];
  readonly schema: KindSchema;
  readonly strategy: KindStrategy;
  /** How `kubectl get` shows its objects. */
  readonly table: TableDescription;
  /** The kind of its lists, unless it is the kind with `List` behind it. */
  readonly listKind?: string;
  /** A warning in every response about the version. */
  readonly deprecationWarning?: string;
  /** The verbs in discovery, where they are fewer than the verbs that are handled. */
  readonly listedVerbs?: readonly string[];
  /** Whether the kind is being removed: no more objects are created. */
  readonly isTerminating?: boolean;
  /** Identifies the stored form of a custom kind in discovery, if that version is served. */
  readonly storageVersionHash?: string;
  /** Whether a CustomResourceDefinition defines it: bodies have to name kind and version, and some answers differ. */
  readonly isCustom?: boolean;
  /** Where the scale subresource of a custom kind reads and writes; built-in kinds have fixed fields. */
  readonly scalePaths?: ScalePaths;
  /** The store's collection; two versions or groups of one kind share it. */
  readonly collection: string;
  readonly conversion?: Conversion;
}
