type Members<T> = { readonly [Key in keyof T]?: Exclude<T[Key], undefined> };

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

/** The object with one member passed through a function; the same object when it has no such member. */
export function mapMember<T extends object, Key extends keyof T>(
  object: T,
  key: Key,
  map: (value: NonNullable<T[Key]>) => T[Key],
): T {
  const value = object[key];
  if (value === undefined || value === null) return object;
  const mapped = map(value);
  return mapped === value ? object : { ...object, [key]: mapped };
}

/** The object with each item of a list passed through a function. */
export function mapItems<Key extends string, Item, T extends { readonly [K in Key]?: readonly Item[] }>(
  object: T,
  key: Key,
  map: (item: Item) => Item,
): T {
  const items = object[key];
  return items === undefined || items.length === 0 ? object : { ...object, [key]: items.map(map) };
}

/** The object without a member. */
export function without<T extends object, Key extends keyof T>(object: T, key: Key): Omit<T, Key> {
  const { [key]: _, ...rest } = object;
  return rest;
}

/** The object with a member set, or taken away for `undefined`. */
export function withMember<T extends object, Key extends keyof T>(
  object: T,
  key: Key,
  value: T[Key] | undefined,
): T {
  if (value !== undefined) return { ...object, [key]: value };
  // A type that knows the member as optional is the same type without it.
  return key in object ? (without(object, key) as T) : object;
}
