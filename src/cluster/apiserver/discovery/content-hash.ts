import { createHash } from "node:crypto";

/** Changes when the text does: what ETags and the hashes in OpenAPI addresses are made of. */
export function contentHash(text: string): string {
  return createHash("sha256").update(text).digest("hex").toUpperCase();
}
