import type { Status, StatusCause } from "../api/generated/meta-v1.ts";
import { messageOf } from "../api/message-of.ts";
import { ApiError } from "../machinery/client/api-error.ts";
import { CommandFailure, SeveralFailures } from "./command-failure.ts";

/** What kubectl prints of an error that ends a command, without the last line end. */
export function failureText(error: unknown): string {
  if (error instanceof CommandFailure) return error.message;
  if (error instanceof SeveralFailures) return error.errors.map(lineOf).join("\n");
  if (error instanceof ApiError && error.reason === "Invalid") return invalidText(error.status);
  return lineOf(error);
}

/** One of several errors. */
function lineOf(error: unknown): string {
  if (!(error instanceof ApiError))
    return error instanceof CommandFailure ? error.message : `error: ${messageOf(error)}`;
  const { reason, message } = error;
  if (reason === "Unauthorized") return `error: You must be logged in to the server (${message})`;
  return reason === "" ? `Error from server: ${message}` : `Error from server (${reason}): ${message}`;
}

function invalidText({ details, message = "" }: Status): string {
  const causes = details?.causes ?? [];
  const { kind = "", name = "" } = details ?? {};
  const start = invalidStart({ kind, name }, causes.length === 0 ? message : "");
  const lines = [...new Set(causes.map(causeText))];
  if (lines.length === 0) return start;
  if (lines.length === 1) return `${start}: ${lines.join("")}`;
  return [`${start}: `, ...lines.map((line) => `* ${line}`)].join("\n");
}

function invalidStart(
  { kind, name }: { readonly kind: string; readonly name: string },
  message: string,
): string {
  if (kind !== "" || name !== "") return `The ${kind} ${JSON.stringify(name)} is invalid`;
  return message === "" ? "The request is invalid" : `The request is invalid: ${message}`;
}

const causeText = ({ field = "", message = "" }: StatusCause): string => `${field}: ${message}`;
