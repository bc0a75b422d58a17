const longestMs = 60_000;

/**
 * How long a server that is too busy asks us to stay away; `undefined` when it does not ask.
 * A date instead of seconds, which no API server sends, counts as one second.
 */
export function retryAfterMs(code: number, header: string | undefined): number | undefined {
  if ((code !== 429 && code !== 503) || header === undefined) return undefined;
  const seconds = /^\d+$/.test(header) ? Number(header) : 1;
  return Math.min(seconds * 1000, longestMs);
}
