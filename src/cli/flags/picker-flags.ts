import type { PickerAccess } from "../../cluster/network-pickers.ts";
import { readTextFile } from "../../machinery/client/connection/text-file.ts";
import { parseAllowList } from "../../picker/addresses/address-policy.ts";
import { defaultCallLimits } from "../../picker/call/call-limiter.ts";
import type { Flags, Invocation } from "../command.ts";
import { numberProblems, flagText } from "./flag-values.ts";

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
  "picker-calls": {
    type: "string",
    default: String(defaultCallLimits.total),
    value: "N",
    help: "Number of calls to pod pickers at a time",
  },
  "picker-calls-per-namespace": {
    type: "string",
    default: String(defaultCallLimits.perNamespace),
    value: "N",
    help: "The same for the workloads of one namespace",
  },
  "picker-calls-per-address": {
    type: "string",
    default: String(defaultCallLimits.perAddress),
    value: "N",
    help: "The same for one address and port",
  },
};

const limitFlags = ["picker-calls", "picker-calls-per-namespace", "picker-calls-per-address"] as const;
const callLimits = { least: 1, most: 10_000 };

export type ReadPickerFlags =
  | { readonly ok: true; readonly access: PickerAccess }
  | { readonly ok: false; readonly problems: readonly string[] };

/** Reads the flags about pod pickers; returns all errors, one sentence each. */
export function readPickerFlags(flags: Invocation["flags"]): ReadPickerFlags {
  const list = parseAllowList([flags["picker-allow"] ?? []].flat().map(String));
  const ca = readBundle(flags["picker-ca"]);
  const limits = readLimits(flags);
  const problems = [
    ...limits.problems,
    ...(list.ok ? [] : list.problems.map((problem) => `--picker-allow: ${problem}`)),
    ...("problem" in ca ? [`--picker-ca: ${ca.problem}`] : []),
  ];
  if (problems.length > 0 || !list.ok || "problem" in ca) return { ok: false, problems };
  return { ok: true, access: { ca: ca.pem, allowed: list.allowed, limits: limits.limits } };
}

function readLimits(flags: Invocation["flags"]) {
  const limitOf = (name: string) => Number(flagText(flags, name));
  const problems = limitFlags.flatMap((name) => numberProblems(flags, name, callLimits));
  const [total, perNamespace, perAddress] = limitFlags;
  return {
    problems,
    limits: { total: limitOf(total), perNamespace: limitOf(perNamespace), perAddress: limitOf(perAddress) },
  };
}

function readBundle(file: Invocation["flags"][string]) {
  if (typeof file !== "string") return { pem: undefined };
  const read = readTextFile(file);
  if (!read.ok) return { problem: `${file}: ${read.reason}` };
  return read.text.includes("-----BEGIN CERTIFICATE-----")
    ? { pem: read.text }
    : { problem: `${file} holds no certificate` };
}
