/** Resolves after one turn of the event loop, so that a long response does not block other requests. */
export function yieldToEventLoop(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
