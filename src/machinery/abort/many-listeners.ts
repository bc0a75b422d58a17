/** What Node has for it; absent in browsers, where nothing counts listeners. */
const events = (globalThis as { readonly process?: NodeJS.Process }).process?.getBuiltinModule?.(
  "node:events",
);

/** Says that many listeners of a signal are no leak: Node warns of more than ten. */
export function expectManyListeners(signal: AbortSignal): void {
  events?.setMaxListeners(0, signal);
}
