import type { StatusCause } from "../../../api/generated/meta-v1.ts";

/** Whether an object may come in, and as what: admission may complete it, or say why not. */
export type Admission<T> =
  | { readonly admitted: true; readonly object: T }
  | { readonly admitted: false; readonly because: string; readonly causes?: readonly StatusCause[] };

/** Lets an object in. */
export function admit<T>(object: T): Admission<T> {
  return { admitted: true, object };
}

/** Keeps an object out; the API server answers 403 with these words. */
export function deny<T>(because: string, causes?: readonly StatusCause[]): Admission<T> {
  return { admitted: false, because, ...(causes !== undefined && { causes }) };
}
