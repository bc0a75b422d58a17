/** Whether a value of an option has fields. */
export const isObject = (value: unknown): value is object => typeof value === "object" && value !== null;

/** A sentence for every field that is not among the names. */
export function unknownNames(value: object, names: readonly string[], what: string): readonly string[] {
  return Object.keys(value)
    .filter((name) => !names.includes(name))
    .map((name) => `unknown ${what} ${JSON.stringify(name)} (known: ${names.join(", ")})`);
}
