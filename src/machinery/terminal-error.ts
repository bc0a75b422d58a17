/** A failure that trying again will not mend: the controller loop logs it and waits for the next event. */
export class TerminalError extends Error {
  override readonly name = "TerminalError";
}
