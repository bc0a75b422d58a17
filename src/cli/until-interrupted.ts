import type { Terminal } from "./command.ts";

/** Waits until the user interrupts the program; whenever the user presses Enter meanwhile, a text is printed. */
export async function untilInterrupted(terminal: Terminal, onEnter: () => string): Promise<void> {
  const stopListening = terminal.onEnter?.(() => terminal.out(onEnter()));
  const { interrupted } = terminal;
  if (!interrupted.aborted)
    await new Promise((resolve) => interrupted.addEventListener("abort", resolve, { once: true }));
  stopListening?.();
}
