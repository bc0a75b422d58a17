/** An instant in milliseconds since the epoch: what every decision and controller computes with. */
export type Instant = number;

// RFC 3339 as Kubernetes writes it; `Date.parse` alone would also take "March 7" and the like.
const rfc3339 = /^\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(\.\d+)?([Zz]|[+-]\d\d:\d\d)$/;

/** Reads an API timestamp; anything that is not one, null included, is `undefined`. */
export function parseTime(text: string | null | undefined): Instant | undefined {
  if (typeof text !== "string" || !rfc3339.test(text)) return undefined;
  const instant = Date.parse(text);
  return Number.isNaN(instant) ? undefined : instant;
}

/** Writes an instant as Kubernetes' `Time`: UTC, whole seconds, truncated. */
export function formatTime(instant: Instant): string {
  return `${new Date(instant).toISOString().slice(0, 19)}Z`;
}

/** Writes an instant as Kubernetes' `MicroTime`: UTC, exactly six fraction digits. */
export function formatMicroTime(instant: Instant): string {
  const whole = Math.floor(instant);
  const micros = Math.floor((instant - whole) * 1000);
  return `${new Date(whole).toISOString().slice(0, 23)}${String(micros).padStart(3, "0")}Z`;
}
