import { createHash } from "node:crypto";

/** Returns a hash of a document's text, for its ETag and for the `hash` parameter of OpenAPI URLs. */
export function contentHash(text: string): string {
  return createHash("sha256").update(text).digest("hex").toUpperCase();
}
