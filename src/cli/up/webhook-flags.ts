import { type AllowList, parseAllowList } from "../../picker/addresses/address-policy.ts";
import type { Flags, Invocation } from "../command.ts";

/** The flags about admission webhooks. */
export const webhookFlags: Flags = {
  "webhook-allow": {
    type: "string",
    multiple: true,
    value: "HOST|CIDR",
    help: "A host or network where admission webhooks may be, besides this machine; may be repeated",
  },
};

export type ReadWebhookFlags =
  | { readonly ok: true; readonly allowed: AllowList }
  | { readonly ok: false; readonly problems: readonly string[] };

/** Reads the flags about admission webhooks; returns all errors, one sentence each. */
export function readWebhookFlags(flags: Invocation["flags"]): ReadWebhookFlags {
  const list = parseAllowList([flags["webhook-allow"] ?? []].flat().map(String));
  return list.ok
    ? list
    : { ok: false, problems: list.problems.map((problem) => `--webhook-allow: ${problem}`) };
}
