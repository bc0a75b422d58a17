/** A value of CEL. A JavaScript number is a double, a bigint an int; what failed is a value too. */
export type CelValue =
  | null
  | boolean
  | bigint
  | number
  | string
  | Uint
  | Bytes
  | Timestamp
  | Duration
  | TypeValue
  | Optional
  | CelList
  | CelMap
  | Opaque
  | CelError;

/** What an evaluation failed with. */
export class CelError {
  readonly message: string;
  constructor(message: string) {
    this.message = message;
  }
}

export class Uint {
  readonly value: bigint;
  constructor(value: bigint) {
    this.value = value;
  }
}

export class Bytes {
  readonly value: Uint8Array;
  constructor(value: Uint8Array) {
    this.value = value;
  }
}

/** A point in time, in nanoseconds since 1970. */
export class Timestamp {
  readonly nanos: bigint;
  constructor(nanos: bigint) {
    this.nanos = nanos;
  }
}

export class Duration {
  readonly nanos: bigint;
  constructor(nanos: bigint) {
    this.nanos = nanos;
  }
}

/** What `type()` returns; equal if the names are. */
export class TypeValue {
  readonly name: string;
  constructor(name: string) {
    this.name = name;
  }
}

export class Optional {
  readonly value: CelValue | undefined;
  constructor(value?: CelValue) {
    this.value = value;
  }
}

/** A list; `at` is called with positions that exist only. */
export interface CelList {
  readonly kind: "list";
  readonly size: number;
  readonly at: (index: number) => CelValue;
  /** How its items are identified, if they have no order: the whole item, or a text of its keys. */
  readonly identity?: ListIdentity | undefined;
  /** The JSON behind it, to see quickly that two are one. */
  readonly source?: unknown;
  /** Whether a schema gave it its type; then it can be compared with lists only. */
  readonly isTyped?: boolean | undefined;
}

/** Lists with the list type `set` or `map`. */
export type ListIdentity = "set" | readonly string[];

/** A map, or an object with fields. */
export interface CelMap {
  readonly kind: "map";
  /** The name of its type, if it is an object with declared fields. */
  readonly typeName?: string | undefined;
  readonly size: number;
  readonly keys: () => readonly CelValue[];
  readonly get: (key: CelValue) => CelValue | undefined;
  readonly source?: unknown;
  /** Whether a schema gave it its type; then it can be compared with maps only. */
  readonly isTyped?: boolean | undefined;
}

/** A value of a library's own type, such as a quantity. */
export interface Opaque {
  readonly kind: "opaque";
  readonly typeName: string;
  /** How much it counts in costs. */
  readonly size: number;
  readonly equals: (other: Opaque) => boolean;
}

export const noSuchOverload = new CelError("no such overload");
export const none = new Optional();

export function isList(value: CelValue): value is CelList {
  return typeof value === "object" && value !== null && "kind" in value && value.kind === "list";
}

export function isMap(value: CelValue): value is CelMap {
  return typeof value === "object" && value !== null && "kind" in value && value.kind === "map";
}

export function isOpaque(value: CelValue): value is Opaque {
  return typeof value === "object" && value !== null && "kind" in value && value.kind === "opaque";
}

/** A list of values. */
export function listOf(values: readonly CelValue[]): CelList {
  return { kind: "list", size: values.length, at: (index) => values[index] ?? null, source: values };
}

/** The items of a list, as an array. */
export function itemsOf(list: CelList): readonly CelValue[] {
  return Array.from({ length: list.size }, (_, index) => list.at(index));
}
