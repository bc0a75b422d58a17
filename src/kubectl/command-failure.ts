/** Ends a command: its text is printed as it is, unless it is empty, and the code is returned. */
export class CommandFailure extends Error {
  override readonly name = "CommandFailure";
  readonly code: number;

  constructor(text: string, code = 1) {
    super(text);
    this.code = code;
  }
}

/** A failure of the command line or of its evaluation. */
export function failure(message: string): CommandFailure {
  return new CommandFailure(`error: ${message}`);
}

/** A mistake on the command line, with the advice where to look. */
export function usageFailure(command: string, message: string): CommandFailure {
  return failure(`${message}\nSee 'kubectl ${command} -h' for help and examples`);
}

/** What this kubectl does not do, in one sentence. */
export function notSupportedHere(what: string): CommandFailure {
  return failure(`${what} is not supported by trimtab kubectl: use kubectl for it`);
}

/** Several errors, one line each. */
export class SeveralFailures extends Error {
  override readonly name = "SeveralFailures";
  readonly errors: readonly unknown[];

  constructor(errors: readonly unknown[]) {
    super("several errors");
    this.errors = errors;
  }
}

/** Throws the errors that were collected, if any; a single one as it is. */
export function throwAll(errors: readonly unknown[]): void {
  if (errors.length === 1) throw errors[0];
  if (errors.length > 1) throw new SeveralFailures(errors);
}
