import { isJsonObject, type Json, type JsonObject } from "../../src/api/json.ts";
import type { HttpsCaller } from "../https-caller.ts";
import type { SameRequest } from "./same-answers.cases.ts";

export interface ComparedRequest extends SameRequest {
  readonly accept?: string;
}

/** The word in a body that stands for the resourceVersion that the server answered last. */
export const lastVersion = "LAST-VERSION";

/** A client that sends requests one after the other, and remembers the version of the last object it received. */
export function comparableCaller(caller: HttpsCaller) {
  let version = "";
  return async ({ what, body, type = "application/json", accept }: ComparedRequest) => {
    const text = (typeof body === "string" ? body : JSON.stringify(body))?.replace(lastVersion, version);
    const {
      code,
      headers,
      text: answered,
    } = await caller.call(what, {
      headers: {
        ...(accept !== undefined && { accept }),
        ...(text !== undefined && {
          "content-type": type,
          "content-length": String(Buffer.byteLength(text)),
        }),
      },
      ...(text !== undefined && { body: text }),
    });
    const isJson = headers["content-type"]?.startsWith("application/json") === true;
    const parsed = isJson ? (JSON.parse(answered) as Json) : answered;
    version = versionOf(parsed) ?? version;
    return { code, warnings: warningsIn(headers["warning"]), body: comparable(parsed) };
  };
}

function versionOf(body: Json): string | undefined {
  const metadata = isJsonObject(body) && body["kind"] !== "Status" ? body["metadata"] : undefined;
  const version = isJsonObject(metadata) ? metadata["resourceVersion"] : undefined;
  return typeof version === "string" ? version : undefined;
}

// Warnings of an update are those of all properties, whose order is random in kube-apiserver.
const warningsIn = (header: string | undefined) => (header?.split(/, (?=299 )/) ?? []).toSorted();

function comparable(body: Json): Json {
  if (isJsonObject(body) && body["kind"] === "Status") return comparableStatus(body);
  return withoutIdentity(body);
}

/** Errors are compared as a set: kube-apiserver visits properties in random order. */
function comparableStatus({ code, reason, status, message, details }: JsonObject): Json {
  const { causes, ...rest } = isJsonObject(details) ? details : {};
  const sorted = Array.isArray(causes) ? causes.map(comparableCause).toSorted() : null;
  return {
    code: code ?? null,
    reason: reason ?? null,
    status: status ?? null,
    message: comparableText(typeof message === "string" ? message : "", /patch: Invalid value: /)
      .split(/, |\[|\]/)
      .toSorted()
      .join("\n"),
    details: withoutIdentity(rest),
    causes: sorted,
  };
}

function comparableCause(cause: Json): string {
  const { message = "", field } = cause as { readonly message?: string; readonly field?: string };
  const text = comparableText(message, field === "patch" ? /^Invalid value: / : /$never/);
  return JSON.stringify({ ...(cause as JsonObject), message: text });
}

/**
 * A name that upstream draws for each compilation is left out, and so is the patched object, which has an identity; ours
 * shows the patch.
 */
function comparableText(text: string, beforePatched: RegExp): string {
  const shown = text.replace(/selfType[\w.@-]*/g, "selfType");
  const start = beforePatched.exec(shown);
  const end = shown.search(/: (?:strict decoding error|json: cannot unmarshal)/);
  return start === null || end < 0 ? shown : shown.slice(0, start.index) + shown.slice(end);
}

const identity = new Set([
  "uid",
  "resourceVersion",
  "creationTimestamp",
  "deletionTimestamp",
  "time",
  "lastTransitionTime",
]);

/** What differs between any two clusters is left out. */
function withoutIdentity(value: Json): Json {
  if (Array.isArray(value)) return (value as readonly Json[]).map(withoutIdentity);
  if (!isJsonObject(value)) return value;
  const members = Object.entries(value).filter(([name]) => !identity.has(name));
  return Object.fromEntries(members.map(([name, member]) => [name, withoutIdentity(member ?? null)]));
}

/** Where two answers differ, a line for each place. */
export function differingLeaves(theirs: unknown, ours: unknown, path = ""): readonly string[] {
  if (isBranch(theirs) && isBranch(ours)) {
    const names = new Set([...Object.keys(theirs), ...Object.keys(ours)]);
    return [...names].flatMap((name) => differingLeaves(theirs[name], ours[name], `${path}.${name}`));
  }
  const [expected, answered] = [JSON.stringify(theirs), JSON.stringify(ours)];
  return expected === answered ? [] : [`  ${path}: theirs ${expected}, ours ${answered}`];
}

const isBranch = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null;
