import type { StatusCause } from "../../../api/generated/meta-v1.ts";

/** The outcome of admission: the object as admission plugins complete it, or why it is denied. */
export type Admission<T> =
  | { readonly admitted: true; readonly object: T }
  | { readonly admitted: false; readonly because: string; readonly causes?: readonly StatusCause[] };

/** Admits an object. */
export function admit<T>(object: T): Admission<T> {
  return { admitted: true, object };
}

/** Denies an object; the API server answers 403 with this reason. */
export function deny<T>(because: string, causes?: readonly StatusCause[]): Admission<T> {
  return { admitted: false, because, ...(causes !== undefined && { causes }) };
}
