import { ApiError, isNotFound } from "../../machinery/client/api-error.ts";

/** The result of a request: the object, that it does not exist, or why that is unknown. */
export type ClusterReading<T> =
  | { readonly state: "found"; readonly value: T }
  | { readonly state: "absent" }
  /** The API server refused, such as for missing rights. */
  | { readonly state: "unknown"; readonly why: string };

/** Waits for a request; only a lost connection or an abort rejects. */
export async function clusterReadingOf<T>(request: Promise<T>): Promise<ClusterReading<T>> {
  try {
    return { state: "found", value: await request };
  } catch (error) {
    if (isNotFound(error)) return { state: "absent" };
    if (error instanceof ApiError) return { state: "unknown", why: error.message };
    throw error;
  }
}

/** What was found, if it was. */
export function valueRead<T>(reading: ClusterReading<T>): T | undefined {
  return reading.state === "found" ? reading.value : undefined;
}
