import { isConditionTrue } from "../../../../api/conditions.ts";
import type { Pod } from "../../../../api/generated/core-v1.ts";
import type { Instant } from "../../../../api/time.ts";
import { ageOf, ageSince } from "../../tables/age.ts";
import { none, orNone, textOf } from "../../tables/cell-text.ts";
import {
  ageColumn,
  column,
  nameColumn,
  type RowCondition,
  type TableDescription,
  wideColumn,
} from "../../tables/table-description.ts";
import { type PodSummary, summarizePod } from "./pod-summary.ts";

export const podTable: TableDescription<Pod> = {
  columns: [
    nameColumn,
    column("Ready", "Containers that are ready, of those that should be."),
    column("Status", "The state the Pod and its containers are in, in one word."),
    column("Restarts", "How often containers were restarted, and when last."),
    ageColumn,
    wideColumn("IP", "The address of the Pod."),
    wideColumn("Node", "The node the Pod is bound to."),
    wideColumn("Nominated Node", "The node where room is being made for the Pod."),
    wideColumn("Readiness Gates", "Readiness gates that are passed, of those the Pod has."),
  ],

  cells(pod, now) {
    const summary = summarizePod(pod);
    return [
      pod.metadata.name,
      `${summary.ready}/${summary.total}`,
      summary.status,
      restartsText(summary, now),
      ageOf(pod, now),
      orNone(pod.status?.podIPs?.[0]?.ip ?? pod.status?.podIP),
      orNone(pod.spec.nodeName),
      orNone(pod.status?.nominatedNodeName),
      readinessGates(pod),
    ];
  },

  conditions(pod) {
    const ended = endings.get(textOf(pod.status?.phase));
    return ended === undefined ? [] : [ended];
  },
};

const endings: ReadonlyMap<string, RowCondition> = new Map([
  ["Succeeded", completed("Succeeded", "All containers of the Pod ended well.")],
  ["Failed", completed("Failed", "A container of the Pod failed, or the Pod was ended by the system.")],
]);

function completed(reason: string, message: string): RowCondition {
  return { type: "Completed", status: "True", reason, message };
}

function restartsText({ restarts, restartedAt }: PodSummary, now: Instant): string {
  const ago = restarts === 0 || restartedAt === undefined ? "" : ` (${ageSince(restartedAt, now)} ago)`;
  return `${restarts}${ago}`;
}

function readinessGates(pod: Pod): string {
  const gates = pod.spec.readinessGates ?? [];
  if (gates.length === 0) return none;
  const passed = gates.filter((gate) => isConditionTrue(pod.status?.conditions, gate.conditionType));
  return `${passed.length}/${gates.length}`;
}
