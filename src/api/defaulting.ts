type Members<T> = { readonly [Key in keyof T]?: NonNullable<T[Key]> };

/** The object with defaults for absent fields; the same object if none is absent. */
export function fillAbsent<T extends object>(object: T, defaults: Members<T>): T {
  return fill(object, defaults, isAbsent);
}

/** Variant for fields that are not pointers in Go: an empty text and a zero also count as unset. */
export function fillEmpty<T extends object>(object: T, defaults: Members<T>): T {
  return fill(object, defaults, isEmpty);
}

function fill<T extends object>(object: T, defaults: Members<T>, isMissing: (value: unknown) => boolean): T {
  const missing = (Object.keys(defaults) as (keyof T)[]).filter((key) => isMissing(object[key]));
  if (missing.length === 0) return object;
  const filled = { ...object };
  for (const key of missing) filled[key] = defaults[key] ?? filled[key];
  return filled;
}

function isAbsent(value: unknown): boolean {
  return value === undefined || value === null;
}

function isEmpty(value: unknown): boolean {
  return isAbsent(value) || value === "" || value === 0;
}

/** A function for each field to map. */
export type MemberMaps<T> = {
  readonly [Key in keyof T]?: (value: NonNullable<T[Key]>) => NonNullable<T[Key]>;
};

/** The object with the fields it has mapped by their functions; the same object if none changes. */
export function mapMembers<T extends object>(object: T, maps: MemberMaps<T>): T {
  let mapped = object;
  for (const key of Object.keys(maps) as (keyof T)[]) {
    const value = object[key];
    const after = value === undefined || value === null ? value : maps[key]?.(value);
    if (after !== value) mapped = { ...mapped, [key]: after };
  }
  return mapped;
}

/** Maps the items of a list; returns the same list if no item changes. */
export function eachItem<Item>(map: (item: Item) => Item): (items: readonly Item[]) => readonly Item[] {
  return (items) => {
    const mapped = items.map(map);
    return mapped.every((item, index) => item === items[index]) ? items : mapped;
  };
}

/** The object with a field set, or removed for `undefined`. */
export function withMember<T extends object, Key extends keyof T>(
  object: T,
  key: Key,
  value: T[Key] | undefined,
): T {
  if (value !== undefined) return { ...object, [key]: value };
  if (!(key in object)) return object;
  const { [key]: _, ...rest } = object;
  // The field is optional, so the object without it has the same type.
  return rest as T;
}
