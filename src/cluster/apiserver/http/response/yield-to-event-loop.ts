/** Lets the event loop turn once: whoever has much to write steps aside for the others. */
export function yieldToEventLoop(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
