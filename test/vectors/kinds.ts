/** Runs one case and says what differed; `undefined` when it passes. */
export type Check = (vector: unknown) => string | undefined;

/** Every kind of vector we know, one line each. */
export const kinds: Readonly<Record<string, Check>> = {};
