/** Returns an object of the named members that are defined. */
export function pick<T extends object, K extends keyof T>(from: T, names: readonly K[]): Pick<T, K> {
  const picked: Partial<Pick<T, K>> = {};
  for (const name of names) if (from[name] !== undefined) picked[name] = from[name];
  return picked as Pick<T, K>;
}

/** Returns the object without the named members; the object itself when it has none of them. */
export function omit<T extends object, K extends keyof T & string>(from: T, names: readonly K[]): Omit<T, K> {
  if (!names.some((name) => name in from)) return from;
  // Copies instead of deleting: V8 accesses objects with deleted members slowly.
  const rest: Partial<T> = {};
  for (const name of Object.keys(from) as (keyof T & string)[])
    if (!(names as readonly string[]).includes(name)) rest[name] = from[name];
  return rest as Omit<T, K>;
}
