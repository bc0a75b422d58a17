import { hexText } from "../../../api/bytes.ts";
import { sha256 } from "../../../machinery/hashing/sha256.ts";

/** Returns a hash of a document's text, for its ETag and for the `hash` parameter of OpenAPI URLs. */
export function contentHash(text: string): string {
  return hexText(sha256().update(text).digest()).toUpperCase();
}
