import type { PickerAccess } from "../cluster/picker-access.ts";
import { readTextFile } from "../machinery/client/text-file.ts";
import { parseAllowList } from "../picker/address-policy.ts";
import type { Flags, Invocation } from "./command.ts";

/** The flags of every command that may ask pod pickers. */
export const pickerFlags: Flags = {
  "picker-ca": {
    type: "string",
    value: "FILE",
    help: "Certificates (PEM) to trust in pod pickers, besides the system's",
  },
  "picker-allow": {
    type: "string",
    multiple: true,
    value: "HOST|CIDR",
    help: "Where pod pickers may be; may be repeated",
  },
};

export type ReadPickerFlags =
  | { readonly ok: true; readonly access: PickerAccess }
  | { readonly ok: false; readonly problems: readonly string[] };

/** Reads what an operator says about pod pickers; everything that is wrong with it, a sentence each. */
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
