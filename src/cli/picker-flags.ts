import type { PickerAccess } from "../cluster/picker-access.ts";
import { readTextFile } from "../machinery/client/text-file.ts";
import { parseAllowList } from "../picker/address-policy.ts";
import type { Flags, Invocation } from "./command.ts";

/** The flags of every command that may call pod pickers. */
export const pickerFlags: Flags = {
  "picker-ca": {
    type: "string",
    value: "FILE",
    help: "CA certificates (PEM) trusted for pod pickers, besides those of the system",
  },
  "picker-allow": {
    type: "string",
    multiple: true,
    value: "HOST|CIDR",
    help: "A host or network where pod pickers may be; may be repeated",
  },
};

export type ReadPickerFlags =
  | { readonly ok: true; readonly access: PickerAccess }
  | { readonly ok: false; readonly problems: readonly string[] };

/** Reads the flags about pod pickers; returns all errors, one sentence each. */
export function readPickerFlags(flags: Invocation["flags"]): ReadPickerFlags {
  const list = parseAllowList([flags["picker-allow"] ?? []].flat().map(String));
  const ca = readBundle(flags["picker-ca"]);
  const problems = [
    ...(list.ok ? [] : list.problems.map((problem) => `--picker-allow: ${problem}`)),
    ...("problem" in ca ? [`--picker-ca: ${ca.problem}`] : []),
  ];
  if (!list.ok || "problem" in ca) return { ok: false, problems };
  return { ok: true, access: { ca: ca.pem, allowed: list.allowed } };
}

function readBundle(file: Invocation["flags"][string]) {
  if (typeof file !== "string") return { pem: undefined };
  const read = readTextFile(file);
  if (!read.ok) return { problem: `${file}: ${read.reason}` };
  return read.text.includes("-----BEGIN CERTIFICATE-----")
    ? { pem: read.text }
    : { problem: `${file} holds no certificate` };
}
