import type { Fields } from "./logger.ts";

const redacted = "[redacted]";
const deepest = 6;

/** Names under which credentials travel. */
const credential = /^(authorization|cookie|.*token|.*password)$/i;

export interface FieldOptions {
  /** Whether errors show where they come from: for developers, not for people. */
  readonly stacks: boolean;
}

/** Fields as plain JSON, short enough for a line, with every credential and the content of every Secret left out. */
export function loggableFields(fields: Fields, options: FieldOptions): Record<string, unknown> {
  return membersOf(fields, options, 0);
}

function membersOf(object: object, options: FieldOptions, depth: number): Record<string, unknown> {
  const loggable: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(object))
    loggable[key] =
      credential.test(key) && value !== undefined ? redacted : loggableValue(value, options, depth + 1);
  return loggable;
}

function loggableValue(value: unknown, options: FieldOptions, depth: number): unknown {
  if (typeof value === "string") return withoutBearer(value);
  if (typeof value === "bigint") return value.toString();
  if (value instanceof Error) return loggableError(value, options);
  if (typeof value !== "object" || value === null) return typeof value === "function" ? undefined : value;
  if (depth >= deepest) return "…";
  if (Array.isArray(value)) return value.map((item: unknown) => loggableValue(item, options, depth + 1));
  return isSecret(value) ? { kind: "Secret", ...nameOf(value) } : membersOf(value, options, depth);
}

function loggableError(error: Error, { stacks }: FieldOptions): unknown {
  const message = withoutBearer(messagesOf(error));
  return stacks ? { message, stack: withoutBearer(error.stack ?? "") } : message;
}

/** The message and, where they say something new, those of its causes. */
function messagesOf(error: Error, depth = 0): string {
  if (!(error.cause instanceof Error) || depth >= deepest) return error.message;
  const cause = messagesOf(error.cause, depth + 1);
  return error.message.includes(cause) ? error.message : `${error.message}: ${cause}`;
}

// Annotations of a Secret may repeat its content (kubectl's last-applied-configuration does), so none of it is shown.
function isSecret(object: object): object is { readonly kind: "Secret"; readonly metadata?: unknown } {
  if (!("kind" in object) || object.kind !== "Secret") return false;
  return "data" in object || "stringData" in object || "metadata" in object; // else a mere reference to one
}

function nameOf({ metadata }: { readonly metadata?: unknown }): object {
  if (typeof metadata !== "object" || metadata === null) return {};
  const { namespace, name } = metadata as { readonly namespace?: unknown; readonly name?: unknown };
  return { namespace, name };
}

function withoutBearer(text: string): string {
  return text.replace(/\bBearer\s+[^\s"',]+/gi, `Bearer ${redacted}`);
}
