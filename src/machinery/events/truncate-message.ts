// Validation of events.k8s.io, through which the same object can be read, allows this much.
const longestBytes = 1024;
const ellipsis = " ...";

/** A message as long as events may be: what is too long is cut between characters, which shows. */
export function truncateMessage(message: string): string {
  const bytes = new TextEncoder().encode(message);
  if (bytes.length <= longestBytes) return message;
  const kept = bytes.subarray(0, longestBytes - ellipsis.length);
  return new TextDecoder().decode(kept).replace(/\uFFFD+$/, "") + ellipsis;
}
