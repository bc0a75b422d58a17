import { WallClock } from "../../machinery/clock/wall-clock.ts";
import { checkPicker, countVerdicts } from "../../picker/check/check-picker.ts";
import { isThisMachine } from "../../picker/addresses/address-policy.ts";
import { probeOf } from "../../picker/check/check-url.ts";
import { type ReportFormat, checkReportFormats, writeReport } from "../../picker/check/report-check.ts";
import { type Command, reportErrors, type Terminal } from "../command.ts";
import { findCandidates } from "../picker/picker-candidates.ts";
import { type CheckSettings, readCheckSettings } from "../picker/picker-check-settings.ts";
import { serveFlags } from "../picker/picker-serve-settings.ts";

export const picker: Command = {
  name: "picker",
  summary:
    "Serve pod pickers that a file describes (serve --config FILE), or check one against the contract (check URL).",
  operands: "serve | check URL",
  operandChoices: ["serve", "check"],
  flags: {
    ...serveFlags,
    candidates: {
      type: "string",
      value: "A,B,…",
      help: "Names of Pods to ask about (default: invented ones)",
    },
    workload: {
      type: "string",
      value: "KIND/NAME",
      help: "Ask about the Pods of a Deployment or ReplicaSet, such as deploy/web, which are only read",
    },
    namespace: { type: "string", short: "n", value: "NAME", help: "The namespace of the workload" },
    timeout: {
      type: "string",
      default: "1s",
      value: "DURATION",
      help: "How long an answer may take: the timeoutSeconds of the workload",
    },
    large: { type: "string", default: "1000", value: "N", help: "How many Pods the largest question has" },
    header: {
      type: "string",
      multiple: true,
      value: "NAME:VALUE",
      help: "Send a header, over gRPC as metadata",
    },
    "token-file": {
      type: "string",
      value: "FILE",
      help: "Send the token in this file: Authorization: Bearer",
    },
    ca: { type: "string", value: "FILE", help: "The CA of the picker's certificate (default: the system's)" },
    cert: { type: "string", value: "FILE", help: "The client certificate to show" },
    key: { type: "string", value: "FILE", help: "The key of the client certificate" },
    "server-name": {
      type: "string",
      value: "NAME",
      help: "The name in the picker's certificate (default: the host)",
    },
    output: {
      type: "string",
      short: "o",
      default: "text",
      value: "FORMAT",
      choices: checkReportFormats,
      help: "text, json or junit",
    },
    strict: { type: "boolean", help: "Exit with 1 for warnings, too" },
  },
  async run(invocation, terminal) {
    if (invocation.arguments[0] === "serve") {
      const { servePickers } = await import("../picker/serve-pickers.ts");
      return servePickers(picker, invocation, terminal);
    }
    const read = readCheckSettings(invocation);
    return read.ok ? check(read.settings, terminal) : reportErrors(terminal, picker, read.problems);
  },
};

async function check(settings: CheckSettings, terminal: Terminal): Promise<number> {
  const { url, target, headers, limitMs, largest, isStrict } = settings;
  const clock = new WallClock();
  const found = await findCandidates(settings, { command: picker, clock, signal: terminal.interrupted });
  if (!found.ok) return reportErrors(terminal, picker, [found.problem]);
  const rows = await checkPicker({
    probe: await probeOf({ ...target, headers, workload: found.workload }),
    clock,
    candidates: found.candidates,
    limitMs,
    largest,
    hasCredentials: headers.length > 0 || target.tls?.certificate !== undefined,
    isPrivate: target.tls !== undefined || isThisMachine(target.host),
    signal: terminal.interrupted,
  });
  terminal.out(writeReport({ url, rows }, settings.format satisfies ReportFormat));
  const { fail, warn } = countVerdicts(rows);
  return fail > 0 || (isStrict && warn > 0) || terminal.interrupted.aborted ? 1 : 0;
}
