import { messageOf } from "../../api/message-of.ts";
import { WallClock } from "../../machinery/clock/wall-clock.ts";
import { type Command, type Invocation, reportErrors, type Terminal } from "../command.ts";
import { configurationPath } from "../../cluster/configuration-endpoint.ts";
import { readEmbeddedConfiguration } from "../connection/embedded-configuration.ts";
import {
  findInspectedCluster,
  type InspectedCluster,
  inspectionFlags,
} from "../connection/inspected-cluster.ts";
import { clientOf } from "../connection/run-on-cluster.ts";
import { doctorText } from "../doctor/doctor-text.ts";
import { type DoctorEnvironment, type DoctorOrder, examineCluster } from "../doctor/examine-cluster.ts";
import type { DoctorReport } from "../doctor/finding.ts";
import { clusterReadingOf, valueRead } from "../doctor/reading.ts";
import { kindNamed, splitObject } from "../explain/object-argument.ts";
import { choiceProblems, flagText } from "../flags/flag-values.ts";
import { pickerFlags, readPickerFlags } from "../flags/picker-flags.ts";
import { packageVersion } from "../installed-package.ts";
import { outputFormatOf, outputFormats, printReport } from "../report-output.ts";

/** Says whether Trimtab works in a cluster, and what mends it. It changes nothing there. */
export const doctor: Command = {
  name: "doctor",
  summary:
    "Say whether trimtab works in a cluster, and for a workload, and which command mends what does not; changes nothing.",
  operands: "[OBJECT]",
  flags: {
    "steer-name": {
      type: "string",
      default: "trimtab-steer",
      value: "NAME",
      help: "The name in the configuration of trimtab steer, of its Deployment and of its Lease",
    },
    "steer-namespace": {
      type: "string",
      value: "NAME",
      help: "The namespace of trimtab steer (default: as its webhooks show, or trimtab)",
    },
    "steer-user": {
      type: "string",
      value: "NAME",
      help: "The user trimtab steer runs as (default: the ServiceAccount of its Deployment)",
    },
    output: {
      type: "string",
      short: "o",
      value: "FORMAT",
      choices: outputFormats,
      help: "json or yaml: for programs (default: a page for people)",
    },
    ...inspectionFlags,
    ...pickerFlags,
  },
  async run({ flags, arguments: words }, terminal) {
    const read = readWorkloadName(words);
    const pickers = readPickerFlags(flags);
    const found = findInspectedCluster(flags);
    const problems = [
      ...(read.ok ? [] : [read.problem]),
      ...choiceProblems(flags, "output", outputFormats),
      ...(pickers.ok ? [] : pickers.problems),
      ...(found.ok ? [] : found.problems),
    ];
    if (problems.length > 0 || !read.ok || !pickers.ok || !found.ok)
      return reportErrors(terminal, doctor, problems);
    const order = { namespace: found.namespace, workload: read.workload, ...steerPlace(flags) };
    try {
      const report = await examine(found, { order, access: pickers.access }, terminal);
      printReport(report, {
        terminal,
        format: outputFormatOf(flags),
        text: (options) => doctorText(report, options),
      });
      return report.healthy ? 0 : 1;
    } catch (error) {
      return reportErrors(terminal, doctor, [`${found.connection.server}: ${messageOf(error)}`]); // the boundary of the command
    }
  },
};

type ReadWorkload =
  | { readonly ok: true; readonly workload: DoctorOrder["workload"] }
  | { readonly ok: false; readonly problem: string };

function readWorkloadName(words: readonly string[]): ReadWorkload {
  if (words.length === 0) return { ok: true, workload: undefined };
  const [kindText = "deployment", name = "", ...more] = splitObject(words);
  if (name === "" || kindText.includes("/") || more.length > 0)
    return { ok: false, problem: "one object may be named, such as trimtab doctor deployment/web" };
  const kind = kindNamed(kindText);
  if (kind === "Deployment" || kind === "ReplicaSet") return { ok: true, workload: { kind, name } };
  return {
    ok: false,
    problem: `${JSON.stringify(kindText)} is not supported: trimtab steers a Deployment or a ReplicaSet`,
  };
}

function steerPlace(flags: Invocation["flags"]): Pick<DoctorOrder, "steer" | "steerUser"> {
  const given = (name: string) => flagText(flags, name) || undefined;
  return {
    steer: { name: flagText(flags, "steer-name"), namespace: given("steer-namespace") },
    steerUser: given("steer-user"),
  };
}

interface Examination extends Pick<DoctorEnvironment, "access"> {
  readonly order: DoctorOrder;
}

async function examine(
  { connection }: Extract<InspectedCluster, { ok: true }>,
  { order, access }: Examination,
  { interrupted: signal }: Terminal,
): Promise<DoctorReport> {
  const clock = new WallClock();
  const client = await clientOf(connection, { command: doctor, clock });
  try {
    const { gitVersion } = await client.requestPath("GET", "/version", { signal });
    const version = typeof gitVersion === "string" ? gitVersion : "of no version that it tells";
    const isEmbedded = version.includes("-trimtab.");
    const configuration = isEmbedded
      ? valueRead(await clusterReadingOf(client.requestPath("GET", configurationPath, { signal })))
      : undefined;
    return await examineCluster(order, {
      client,
      clock,
      signal,
      version: packageVersion(),
      server: connection.server,
      gitVersion: version,
      embedded: isEmbedded ? { configuration: readEmbeddedConfiguration(configuration ?? {}) } : undefined,
      access: { ...access, apiServer: () => connection.server },
    });
  } finally {
    await client.close();
  }
}
