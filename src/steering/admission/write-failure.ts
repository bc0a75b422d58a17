import { messageOf } from "../../api/message-of.ts";
import { ApiError } from "../../machinery/client/api-error.ts";

/** Why Pods could not be written. */
export interface WriteFailure {
  /** Denied by a policy or another webhook; forbidden by the rights of our user; too late; or failed in another way. */
  readonly cause: "Denied" | "Forbidden" | "TooLate" | "Failed";
  /** What the API server said. */
  readonly message: string;
}

/** The failure that an error is; the signal aborts when there is no time left. */
export function writeFailureOf(error: unknown, signal: AbortSignal): WriteFailure {
  return { cause: signal.aborted ? "TooLate" : causeOf(error), message: messageOf(error) };
}

/** A ValidatingAdmissionPolicy answers with 422, and a webhook with what it likes; both say in words what they did. */
function causeOf(error: unknown): WriteFailure["cause"] {
  if (!(error instanceof ApiError)) return "Failed";
  if (error.code === 422 || /\bdenied (the )?request\b/.test(error.message)) return "Denied";
  return error.code === 403 ? "Forbidden" : "Failed";
}

const longest = 300;

/** What a person should know: `denied by a policy (…)`. */
export function writeFailureText({ cause, message }: WriteFailure): string {
  const said = message.length > longest ? `${message.slice(0, longest)}…` : message;
  switch (cause) {
    case "Denied":
      return `denied by a policy: ${said}`;
    case "Forbidden":
      return `forbidden: ${said}`;
    case "TooLate":
      return "no time was left";
    case "Failed":
      return said;
  }
}
