import { parseCronSchedule } from "../../src/api/cron-schedule.ts";
import { parseSteeringConfig } from "../../src/cli/steer/steer-settings.ts";
import { parseConfiguration } from "../../src/cli/picker/picker-serve-settings.ts";
import { containerCommandRun } from "../../src/cluster/kubelet/behaviour/command-run.ts";
import { podSimulationProblems } from "../../src/cluster/kubelet/behaviour/simulation-problems.ts";
import { readAnnotatedLoad } from "../../src/cluster/simulated-metrics/annotated-load.ts";
import { nodeGroupsKind, nodeGroupsSchema } from "../../src/cluster/node-groups/node-group-schema.ts";
import { readYamlDocument } from "../../src/machinery/yaml/located-yaml.ts";
import { parseRecordingFile } from "../../src/simulation/recording/recording-file.ts";
import type { FuzzTarget } from "./targets.ts";

const textOf = (bytes: Uint8Array) => new TextDecoder().decode(bytes);

/** Readers of files of our own, and of texts in fields and annotations that mean something. */
export const settingTargets = {
  "picker-configuration": (bytes) => void parseConfiguration(textOf(bytes)),
  "steering-configuration": (bytes) =>
    void parseSteeringConfig(textOf(bytes), { namespace: "default", isPod: false }),
  "node-groups": (bytes) =>
    void readYamlDocument(nodeGroupsSchema, {
      file: "nodes.yaml",
      text: textOf(bytes),
      kind: nodeGroupsKind,
    }),
  recording: (bytes) => void parseRecordingFile(textOf(bytes)),
  load: (bytes) => void readAnnotatedLoad(textOf(bytes)),
  "cron-schedule": (bytes) => void parseCronSchedule(textOf(bytes)),
  command: (bytes) => void containerCommandRun({ name: "c", command: ["sh", "-c"], args: [textOf(bytes)] }),
  "simulation-annotations": (bytes) => {
    const annotations = Object.fromEntries(
      textOf(bytes)
        .split("\n")
        .map((line) => [`sim.trimtab.dev/${line.split("=", 1)[0]}`, line.slice(line.indexOf("=") + 1)]),
    );
    podSimulationProblems({ annotations, labels: {} });
  },
} satisfies Record<string, FuzzTarget>;
