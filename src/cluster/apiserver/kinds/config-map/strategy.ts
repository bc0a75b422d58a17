import { deepEqual } from "../../../../api/deep-equal.ts";
import { forbidden, invalid, tooLong } from "../../../../api/field-error.ts";
import type { ConfigMap } from "../../../../api/generated/core-v1.ts";
import { type FieldErrors, none } from "../../../../api/field-checks.ts";
import type { KindStrategy, ObjectUpdate } from "../kind-strategy.ts";
import type { Sent } from "../../../../api/sent.ts";
import { byteLength, dataKeyProblems } from "../../../../api/value-syntax.ts";

/** The strategy of ConfigMaps. */
export const configMapStrategy: KindStrategy<Sent<ConfigMap>> = {
  validate({ data = {}, binaryData = {} }) {
    const texts = Object.values(data).reduce((sum, text) => sum + byteLength(text), 0);
    const bytes = Object.values(binaryData).reduce((sum, text) => sum + base64Length(text), 0);
    return [
      ...validateKeys(data, "data"),
      ...Object.keys(data)
        .filter((key) => Object.hasOwn(binaryData, key))
        .map((key) => invalid(`data[${key}]`, key, "duplicate of key present in binaryData")),
      ...validateKeys(binaryData, "binaryData"),
      ...(texts + bytes > maxDataBytes ? [tooLong("", maxDataBytes)] : none),
    ];
  },
  validateUpdate(update) {
    return validateUnchanged(update, ["data", "binaryData"]);
  },
  unconditionalUpdate: true,
};

/** Validates the keys of a ConfigMap's or Secret's data. */
export function validateKeys(data: Readonly<Record<string, string>>, path: string): FieldErrors {
  return Object.keys(data).flatMap((key) =>
    dataKeyProblems(key).map((problem) => invalid(`${path}[${key}]`, key, problem)),
  );
}

interface Immutable {
  readonly immutable?: boolean;
  readonly data?: Readonly<Record<string, string>>;
  readonly binaryData?: Readonly<Record<string, string>>;
}

/** Validates that the data of an object with `immutable: true` does not change, nor `immutable` itself. */
export function validateUnchanged(
  { next, previous }: ObjectUpdate<Immutable>,
  members: readonly ("data" | "binaryData")[],
): FieldErrors {
  if (previous.immutable !== true) return none;
  const rule = "field is immutable when `immutable` is set";
  const changed = members.filter((member) => !deepEqual(next[member] ?? {}, previous[member] ?? {}));
  return [
    ...(next.immutable === true ? none : [forbidden("immutable", rule)]),
    ...changed.map((member) => forbidden(member, rule)),
  ];
}

/** The maximum size of a ConfigMap's or Secret's data: 1 MiB. */
export const maxDataBytes = 1024 * 1024;

/** Returns the number of bytes that a base64 text encodes. */
export function base64Length(text: string): number {
  const padding = text.endsWith("==") ? 2 : Number(text.endsWith("="));
  return Math.max(0, Math.floor((text.length * 3) / 4) - padding);
}
