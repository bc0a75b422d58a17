import type { LogFields } from "./logger.ts";

const redacted = "[redacted]";
const deepest = 6;

/** Names of fields that hold credentials. */
const credential = /^(authorization|cookie|.*token|.*password)$/i;

export interface FieldOptions {
  /** Whether errors are logged with their stacks. */
  readonly stacks: boolean;
}

/** Converts fields to plain JSON that fits on a line, without credentials and the content of Secrets. */
export function loggableFields(fields: LogFields, options: FieldOptions): Record<string, unknown> {
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

/** The message and those of its causes, without repetitions. */
function messagesOf(error: Error, depth = 0): string {
  if (!(error.cause instanceof Error) || depth >= deepest) return error.message;
  const cause = messagesOf(error.cause, depth + 1);
  return error.message.includes(cause) ? error.message : `${error.message}: ${cause}`;
}

// Annotations of a Secret may repeat its content (kubectl's last-applied-configuration does), so only its name is logged.
function isSecret(object: object): object is { readonly kind: "Secret"; readonly metadata?: unknown } {
  if (!("kind" in object) || object.kind !== "Secret") return false;
  return "data" in object || "stringData" in object || "metadata" in object; // else it only refers to one
}

function nameOf({ metadata }: { readonly metadata?: unknown }): object {
  if (typeof metadata !== "object" || metadata === null) return {};
  const { namespace, name } = metadata as { readonly namespace?: unknown; readonly name?: unknown };
  return { namespace, name };
}

function withoutBearer(text: string): string {
  return text.replace(/\bBearer\s+[^\s"',]+/gi, `Bearer ${redacted}`);
}
