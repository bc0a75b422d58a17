import { Readable } from "node:stream";
import type { ExtensionBody } from "./extension-transport.ts";

/** A body as Node's streams have it, which it is unless something else than Node sent it. */
export function readableBody(body: ExtensionBody): Readable {
  return body instanceof Readable ? body : Readable.from(body);
}
