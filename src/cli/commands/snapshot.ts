import { anonymise } from "../../simulation/snapshot/anonymise.ts";
import { writeSnapshot } from "../../simulation/snapshot/snapshot.ts";
import { systemRandom } from "../../machinery/random/system-random.ts";
import { type Command, reportErrors } from "../command.ts";
import { choiceProblems, flagText } from "../flags/flag-values.ts";
import { inspectionFlags } from "../connection/inspected-cluster.ts";
import { takeLiveSnapshot } from "../connection/live-snapshot.ts";

const formats = ["yaml", "json"] as const;

/** Writes what decisions read of a cluster; it only reads there. */
export const snapshot: Command = {
  name: "snapshot",
  summary: "Write a cluster to a file for whatif and simulate, without secrets; only reads.",
  flags: {
    anonymise: {
      type: "boolean",
      help: "Replace names, namespaces, label values, images, nodes and zones; decisions stay the same",
    },
    output: {
      type: "string",
      short: "o",
      value: "FORMAT",
      choices: formats,
      default: "yaml",
      help: "yaml, or json, which is read faster",
    },
    ...inspectionFlags,
    namespace: {
      ...inspectionFlags.namespace,
      help: "Only objects of this namespace (default: all of them)",
    },
  },
  async run({ flags }, terminal) {
    const problems = choiceProblems(flags, "output", formats);
    if (problems.length > 0) return reportErrors(terminal, snapshot, problems);
    const taken = await takeLiveSnapshot(
      {
        command: snapshot,
        flags,
        onlyNamespace: flagText(flags, "namespace") || undefined,
        required: ["pods", "replicaSets", "deployments"],
      },
      terminal.interrupted,
    );
    if (!taken.ok) return reportErrors(terminal, snapshot, taken.problems);
    const written = flags["anonymise"] === true ? anonymise(taken.snapshot, systemRandom()) : taken.snapshot;
    terminal.out(writeSnapshot(written, flags["output"] === "json" ? "json" : "yaml").trimEnd());
    for (const note of taken.notes) terminal.err(`Note: ${note}`);
    return 0;
  },
};
