import { utf8Length } from "../../../api/bytes.ts";
import type { JsonObject } from "../../../api/json.ts";
import { isBeingDeleted } from "../../../api/object.ts";
import type { ApiError } from "../../../machinery/client/api-error.ts";
import type { StoreRecord } from "../../store/store.ts";
import { fieldSetsSize, withoutManagedFields } from "./object-memory.ts";
import { insufficientStorage, requestEntityTooLarge } from "../status-errors.ts";

/** How much memory objects use, and how much there is. */
export interface HeapReading {
  readonly usedBytes: number;
  readonly limitBytes: number;
}

/** A reading for servers whose memory is not watched, such as simulated ones, which must not depend on the machine. */
export const unlimitedHeap = (): HeapReading => ({ usedBytes: 0, limitBytes: Number.POSITIVE_INFINITY });

/** The largest encoding of a stored object (upstream: the largest request that etcd takes). */
const maxStoredBytes = 1.5 * 2 ** 20;
/**
 * Objects below this estimate are surely small enough: an encoding is at most six times as long, as a control character
 * is `\u0001`.
 */
const surelySmall = maxStoredBytes / 6;

/**
 * Above this share of the heap nothing is created and objects grow only a little; above the second share they do not
 * grow.
 */
const nearlyFull = 0.8;
const full = 0.9;
/**
 * How much an object may still grow, by a condition or a counter for instance, so that controllers can go on reporting.
 */
const smallGrowth = 1024;

/** A write of an object: its estimated size, and the record it replaces. */
export interface SizedWrite {
  readonly object: JsonObject;
  readonly size: number;
  readonly previous: StoreRecord | undefined;
}

/**
 * Returns the object as it can be stored: one that is too large loses its managed fields, as upstream. Throws 413 for an
 * object that is too large without them; one that is being deleted may have become so by that.
 */
export function storableObject(write: SizedWrite): JsonObject {
  const { object, size } = write;
  if (size + fieldSetsSize(object) <= surelySmall || isDeletedWithin(write)) return object;
  if (encodedBytes(object) <= maxStoredBytes) return object;
  const smaller = withoutManagedFields(object);
  const bytes = encodedBytes(smaller);
  if (bytes <= maxStoredBytes) return smaller;
  throw requestEntityTooLarge(`the object has ${bytes} bytes, the limit is ${maxStoredBytes}`);
}

const encodedBytes = (object: JsonObject): number => utf8Length(JSON.stringify(object));

/** Returns a 507 for a write that needs memory when there is little left. Deletions, and writes that help them, pass. */
export function roomProblem({ usedBytes, limitBytes }: HeapReading, write: SizedWrite): ApiError | undefined {
  const share = usedBytes / limitBytes;
  if (share < nearlyFull || isDeletedWithin(write)) return undefined;
  const { size, previous } = write;
  const allowed = share < full ? smallGrowth : 0;
  if (previous !== undefined && size - previous.size <= allowed) return undefined;
  const percent = Math.floor(share * 100);
  return insufficientStorage(
    `${percent} % of the server's memory (${Math.floor(limitBytes / 2 ** 20)} MiB) is in use: ` +
      "delete objects before others are created or grow, or start the server with more memory " +
      "(NODE_OPTIONS=--max-old-space-size=MIB)",
  );
}

/** Reports whether the write is part of the deletion of an object, and adds no more than that needs. */
function isDeletedWithin({ object, size, previous }: SizedWrite): boolean {
  return previous !== undefined && isBeingDeleted(object) && size - previous.size <= smallGrowth;
}
