type Members<T> = { readonly [Key in keyof T]?: NonNullable<T[Key]> };

/** The object with defaults for the members it does not have; the same object when it has them all. */
export function fillAbsent<T extends object>(object: T, defaults: Members<T>): T {
  return fill(object, defaults, isAbsent);
}

/** The same for members that cannot say "unset": there an empty text or a zero stands for it, too. */
export function fillEmpty<T extends object>(object: T, defaults: Members<T>): T {
  return fill(object, defaults, isEmpty);
}

function fill<T extends object>(object: T, defaults: Members<T>, isMissing: (value: unknown) => boolean): T {
  const missing = Object.entries(defaults).filter(([key]) => isMissing(object[key as keyof T]));
  return missing.length === 0 ? object : { ...object, ...Object.fromEntries(missing) };
}

function isAbsent(value: unknown): boolean {
  return value === undefined || value === null;
}

function isEmpty(value: unknown): boolean {
  return isAbsent(value) || value === "" || value === 0;
}

/** A function for each member that has to be passed through one. */
export type MemberMaps<T> = {
  readonly [Key in keyof T]?: (value: NonNullable<T[Key]>) => NonNullable<T[Key]>;
};

/** The object with the members it has passed through their functions; the same object when none changes. */
export function mapMembers<T extends object>(object: T, maps: MemberMaps<T>): T {
  let mapped = object;
  for (const key of Object.keys(maps) as (keyof T)[]) {
    const value = object[key];
    const after = value === undefined || value === null ? value : maps[key]?.(value);
    if (after !== value) mapped = { ...mapped, [key]: after };
  }
  return mapped;
}

/** A function over a list from one over its items; the same list when no item changes. */
export function eachItem<Item>(map: (item: Item) => Item): (items: readonly Item[]) => readonly Item[] {
  return (items) => {
    const mapped = items.map(map);
    return mapped.every((item, index) => item === items[index]) ? items : mapped;
  };
}

/** The object with a member set, or taken away for `undefined`. */
export function withMember<T extends object, Key extends keyof T>(
  object: T,
  key: Key,
  value: T[Key] | undefined,
): T {
  if (value !== undefined) return { ...object, [key]: value };
  if (!(key in object)) return object;
  const { [key]: _, ...rest } = object;
  // A type that knows the member as optional is the same type without it.
  return rest as T;
}
