import { isNotFound } from "./api-error.ts";

/** What a request resolves to; `undefined` when its object does not exist. */
export async function ifFound<T>(request: Promise<T>): Promise<T | undefined> {
  try {
    return await request;
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}
