import { toBase64 } from "../../../../api/base64.ts";
import { required, tooLong } from "../../../../api/field-error.ts";
import type { Secret } from "../../../../api/generated/core-v1.ts";
import { accountTokenType } from "../../../../api/well-known.ts";
import { base64Length, maxDataBytes, validateKeys, validateUnchanged } from "../config-map/strategy.ts";
import { fillEmpty, withMember } from "../../../../api/defaulting.ts";
import { type FieldErrors, immutable, none } from "../../../../api/field-checks.ts";
import type { KindStrategy } from "../kind-strategy.ts";
import type { Sent } from "../../../../api/sent.ts";

/** The strategy of Secrets. */
export const secretStrategy: KindStrategy<Sent<Secret>> = {
  defaults(object) {
    return withTextsAsData(fillEmpty(object, { type: "Opaque" }));
  },
  validate(object) {
    const { data = {} } = object;
    const bytes = Object.values(data).reduce((sum, text) => sum + base64Length(text), 0);
    return [
      ...validateKeys(data, "data"),
      ...(bytes > maxDataBytes ? [tooLong("data", maxDataBytes)] : none),
      ...validateByType(object),
    ];
  },
  validateUpdate(update) {
    const { next, previous } = update;
    return [
      ...immutable(next.type ?? "", previous.type ?? "", "type"),
      ...validateUnchanged(update, ["data"]),
    ];
  },
  selectableFields({ type = "" }) {
    return { type };
  },
  unconditionalUpdate: true,
};

/** Moves `stringData`, which is write-only, into the data: each entry replaces that of its key. */
function withTextsAsData(object: Sent<Secret>): Sent<Secret> {
  const { stringData } = object;
  if (stringData === undefined) return object;
  const encoder = new TextEncoder();
  const texts = Object.entries(stringData).map(([key, text]) => [key, toBase64(encoder.encode(text))]);
  const written = withMember(object, "stringData", undefined);
  return texts.length === 0
    ? written
    : { ...written, data: { ...object.data, ...Object.fromEntries(texts) } };
}

const accountAnnotation = "kubernetes.io/service-account.name";

/** The keys that each well-known type requires; other types require none. */
const neededKeys: ReadonlyMap<string, readonly string[]> = new Map([
  ["kubernetes.io/dockercfg", [".dockercfg"]],
  ["kubernetes.io/dockerconfigjson", [".dockerconfigjson"]],
  ["kubernetes.io/ssh-auth", ["ssh-privatekey"]],
  ["kubernetes.io/tls", ["tls.crt", "tls.key"]],
]);

function validateByType(object: Sent<Secret>): FieldErrors {
  const { type = "", data = {} } = object;
  if (type === accountTokenType) return validateAccount(object);
  const missing = (key: string): boolean => !Object.hasOwn(data, key);
  if (type === "kubernetes.io/basic-auth") {
    const either = ["username", "password"];
    return either.every(missing) ? either.map((key) => required(`data[${key}]`)) : none;
  }
  return (neededKeys.get(type) ?? []).filter(missing).map((key) => required(`data[${key}]`));
}

function validateAccount({ metadata }: Sent<Secret>): FieldErrors {
  const account = metadata?.annotations?.[accountAnnotation] ?? "";
  return account === "" ? [required(`metadata.annotations[${accountAnnotation}]`)] : none;
}
