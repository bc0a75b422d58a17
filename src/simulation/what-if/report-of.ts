import type { Node, Pod } from "../../api/generated/core-v1.ts";
import { formatTime, type Instant } from "../../api/time.ts";
import { zoneOf } from "../../api/well-known.ts";
import { unreadyPods } from "./unready-pods.ts";
import type { PodPlace, WhatIfReport, WhatIfRun } from "./what-if-report.ts";
import { workloadReports } from "./workload-reports.ts";

/** The report of a run. */
export function reportOf(run: WhatIfRun): WhatIfReport {
  const { takenAt, departures, came, before, after } = run;
  const seconds = (at: Instant) => Math.max(0, Math.round((at - takenAt) / 1000));
  const nodes = new Map(
    [...before.objects.nodes, ...after.objects.nodes].map((node) => [node.metadata.name, node]),
  );
  const placeOf = (pod: Pod): PodPlace => podPlace(pod, nodes);
  return {
    changes: run.changes,
    takenAt: formatTime(takenAt),
    stable: run.isStable,
    tookSeconds: seconds(run.endedAt),
    workloads: workloadReports(run, seconds),
    went: departures.all().map(({ pod, at, rule, because }) => ({
      ...placeOf(pod),
      afterSeconds: seconds(at),
      rule,
      because,
    })),
    came: came.map(({ pod, createdAt, readyAt }) => ({
      ...placeOf(pod),
      afterSeconds: seconds(createdAt),
      ...(readyAt !== undefined && { readyAfterSeconds: seconds(readyAt) }),
    })),
    notReady: unreadyPods(run, placeOf),
    assumptions: run.assumptions,
  };
}

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
