/** Lets the event loop turn once: whoever has much to write steps aside for the others. */
export function yieldToLoop(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
