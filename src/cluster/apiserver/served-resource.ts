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
  /** The store's collection; two versions or groups of one kind share it. */
  readonly collection: string;
  readonly conversion?: Conversion;
}
