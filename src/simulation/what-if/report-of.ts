import type { Node, Pod } from "../../api/generated/core-v1.ts";
import { isReady } from "../../api/pod-state.ts";
import { formatTime, type Instant } from "../../api/time.ts";
import { describeChange } from "./change.ts";
import type { PodHistory } from "./pod-histories.ts";
import { unreadyPods } from "./unready-pods.ts";
import type { PodPlace, WhatIfReport, WhatIfRun } from "./what-if-report.ts";
import { workloadReports } from "./workload-reports.ts";
import { zoneOf } from "../tracking/node-domains.ts";

/** The report of a run. */
export function reportOf(run: WhatIfRun): WhatIfReport {
  const { takenAt, histories, before, after } = run;
  const seconds = (at: Instant) => Math.max(0, Math.round((at - takenAt) / 1000));
  const nodes = new Map([...before.nodes, ...after.nodes].map((node) => [node.metadata.name, node]));
  const placeOf = (pod: Pod): PodPlace => podPlace(pod, nodes);
  const went = histories.all().filter(hasGone);
  return {
    changes: run.changes.map(describeChange),
    takenAt: formatTime(takenAt),
    stable: run.isStable,
    tookSeconds: seconds(run.endedAt),
    workloads: workloadReports(run, seconds),
    went: went
      .toSorted((a, b) => a.wentAt - b.wentAt)
      .map(({ pod, wentAt, because }) => ({
        ...placeOf(pod),
        afterSeconds: seconds(wentAt),
        rule: because?.rule ?? "",
        because: because?.text ?? "",
      })),
    came: histories
      .all()
      .filter(({ createdAt, wentAt }) => createdAt !== undefined && wentAt === undefined)
      .map(({ pod, createdAt = takenAt, readyAt }) => ({
        ...placeOf(pod),
        afterSeconds: seconds(createdAt),
        ...(readyAt !== undefined && isReady(pod) && { readyAfterSeconds: seconds(readyAt) }),
      })),
    notReady: unreadyPods(run, placeOf),
    assumptions: run.assumptions,
  };
}

const hasGone = (history: PodHistory): history is PodHistory & { readonly wentAt: Instant } =>
  history.wentAt !== undefined;

function podPlace({ metadata, spec }: Pod, nodes: ReadonlyMap<string, Node>): PodPlace {
  const { nodeName } = spec;
  const node = nodes.get(nodeName ?? "");
  const zone = node && zoneOf(node.metadata);
  return {
    namespace: metadata.namespace ?? "",
    pod: metadata.name,
    ...(nodeName !== undefined && nodeName !== "" && { node: nodeName }),
    ...(zone !== undefined && { zone }),
  };
}
