/** Returns the path element of a member of an object or a map. */
export const fieldElement = (name: string): string => `f:${name}`;
