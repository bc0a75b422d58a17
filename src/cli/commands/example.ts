import { preferredLabel } from "../../decisions/downscale/rules.ts";
import { deletionCostAnnotation } from "../../api/deletion-cost.ts";
import { defaultFeatureGates } from "../../api/feature-gates.ts";
import type { Pod } from "../../api/generated/core-v1.ts";
import { formatTime, type Instant } from "../../api/time.ts";
import {
  chooseVictims,
  countPerNode,
  removalReason,
  survivalReason,
} from "../../decisions/downscale/index.ts";
import type { Command } from "../command.ts";

const now: Instant = 1_767_268_800_000; // 2026-01-01T12:00:00Z
const minutes = 60_000;

/** Seven Pods; a different rule decides about each. */
const pods: readonly Pod[] = [
  web("web-old", { node: "node-1", readyForMs: 600 * minutes }),
  web("web-young", { node: "node-2", readyForMs: 3 * minutes }),
  web("web-twin-a", { node: "node-3", readyForMs: 300 * minutes }),
  web("web-twin-b", { node: "node-3", readyForMs: 300 * minutes }),
  web("web-dear", {
    node: "node-4",
    readyForMs: 1 * minutes,
    annotations: { [deletionCostAnnotation]: "100" },
  }),
  web("web-done", {
    node: "node-5",
    readyForMs: 500 * minutes,
    labels: { [preferredLabel]: "" },
  }),
  web("web-stuck", { node: undefined, readyForMs: undefined }),
];

export const example: Command = {
  name: "example",
  summary: "Explain which of seven Pods a downscale to three removes, and why.",
  flags: {},
  run: (_invocation, terminal) => {
    const facts = { now, gates: defaultFeatureGates, related: countPerNode(pods) };
    const { victims, survivors } = chooseVictims(pods, 4, facts);
    const width = Math.max(...pods.map((pod) => pod.metadata.name.length));
    const line = (name: string, why: string) => `  ${name.padEnd(width)}  ${why}`;
    terminal.out("A ReplicaSet with seven Pods is scaled to three. These go, first to go first:\n");
    for (const victim of victims) terminal.out(line(victim.pod.metadata.name, removalReason(victim)));
    terminal.out("\nThese stay:\n");
    for (const survivor of survivors)
      terminal.out(line(survivor.pod.metadata.name, survivalReason(survivor)));
    return Promise.resolve(0);
  },
};

interface Traits {
  readonly node: string | undefined;
  readonly readyForMs: number | undefined;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
}

function web(name: string, { node, readyForMs, labels = {}, annotations = {} }: Traits): Pod {
  const created = formatTime(now - (readyForMs ?? minutes));
  const ready = {
    type: "Ready",
    status: readyForMs === undefined ? "False" : "True",
    lastTransitionTime: created,
  };
  return {
    metadata: { name, uid: name, resourceVersion: "1", creationTimestamp: created, labels, annotations },
    spec: { containers: [{ name: "web", image: "web" }], ...(node === undefined ? {} : { nodeName: node }) },
    status: { phase: node === undefined ? "Pending" : "Running", conditions: [ready] },
  };
}
