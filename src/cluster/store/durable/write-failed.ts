import { messageOf } from "../../../api/message-of.ts";
import type { ApiError } from "../../../machinery/client/api-error.ts";
import { insufficientStorage, serviceUnavailable } from "../../apiserver/status-errors.ts";

/** The error numbers of systems on which nothing more can be stored: ENOSPC, EFBIG, EDQUOT; and LMDB's own. */
const fullCodes: ReadonlySet<unknown> = new Set([28, 27, 122, "ENOSPC", "EFBIG", "EDQUOT", -30_792]);

/** Returns the Status of a write that the disk refused: 507 when the disk is full, 503 otherwise. */
export function writeFailed(error: unknown): ApiError {
  const { code } = error as { readonly code?: unknown };
  const rest =
    "writes are refused until the data directory can be written again; " +
    "one that was under way may still take effect";
  return fullCodes.has(code)
    ? insufficientStorage(`the disk of the data directory is full: ${rest}`)
    : serviceUnavailable(`the data directory cannot be written (${shortMessageOf(error)}): ${rest}`, 1);
}

/** Returns the message without LMDB's additions for its developers: positions and sizes of pages. */
function shortMessageOf(error: unknown): string {
  return messageOf(error).replace(/: Attempting to write.*$/s, "");
}
