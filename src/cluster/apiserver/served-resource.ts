import type { JsonObject } from "../../api/json.ts";
import type { KindStrategy } from "../../api/kinds/kind-strategy.ts";
import type { Resource } from "../../api/resource.ts";

/** A part of an object with an address of its own. */
export interface Subresource {
  readonly name: string;
  /** What it speaks, as `group/version/Kind`; core kinds as `version/Kind`. */
  readonly kind: string;
  readonly verbs: readonly string[];
}

/** How a resource that shares its storage with another one looks there. */
export interface Conversion {
  readonly toStorage: (object: JsonObject) => JsonObject;
  readonly fromStorage: (object: JsonObject) => JsonObject;
}

/** A collection as the server knows it: its address, what may be done to it, and the manners of its kind. */
export interface ServedResource extends Resource {
  readonly singular: string;
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
  readonly verbs: readonly string[];
  readonly subresources: readonly Subresource[];
  /** The name of the kind's type in the schema table. */
  readonly type: string;
  readonly strategy: KindStrategy;
  /** The store's collection; two resources that are views of one share it. */
  readonly collection: string;
  readonly conversion?: Conversion;
}
