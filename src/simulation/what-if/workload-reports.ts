import type { Node } from "../../api/generated/core-v1.ts";
import type { Instant } from "../../api/time.ts";
import { zoneLabel, zoneOf } from "../../api/well-known.ts";
import { isNodeReady } from "../../cluster/kubelet/nodes/simulated-node.ts";
import type { ClusterTracker } from "../tracking/cluster-tracker.ts";
import type { PodTally } from "../tracking/pod-tally.ts";
import type { WhatIfRun, WorkloadReport, WorkloadState } from "./what-if-report.ts";

/** The state of each workload at one moment, by `Deployment default/web`. */
export type WorkloadStates = ReadonlyMap<string, WorkloadState>;

/** The workloads that a tracker follows as they are now; `nodes` are those of now. */
export function workloadStates(tracker: ClusterTracker, nodes: readonly Node[]): WorkloadStates {
  const zones = tracker.domains(zoneLabel);
  const alive = new Set(nodes.filter(isNodeReady).map(({ metadata }) => zoneOf(metadata)));
  const aliveZones = zones.filter((zone) => alive.has(zone));
  const stateOf = (key: string, tally: PodTally): WorkloadState => {
    const wanted = tracker.progress(key)?.desired;
    return {
      ...(wanted !== undefined && { wanted }),
      pods: tally.active,
      ready: tally.counts.ready,
      zones: Object.fromEntries(zones.map((zone) => [zone, tally.inDomain(zoneLabel, zone)])),
      skew: tally.skew(zoneLabel, aliveZones),
    };
  };
  return new Map([...tracker.workloads].map(([key, tally]) => [key, stateOf(key, tally)]));
}

/** Every workload that wants or has Pods, before or after, and its extremes on the way. */
export function workloadReports(run: WhatIfRun, seconds: (at: Instant) => number): readonly WorkloadReport[] {
  const { before, after, tracker } = run;
  const affected = affectedWorkloads(run);
  const reportOf = ([key, tally]: readonly [string, PodTally]): WorkloadReport => {
    const [was = nothing, is = nothing] = [before.states.get(key), after.states.get(key)];
    return {
      ...nameIn(key),
      before: was,
      after: is,
      lowestReady: { pods: tally.lowestReady, afterSeconds: seconds(tally.lowestReadyAt) },
      mostPods: { pods: tally.mostPods, afterSeconds: seconds(tally.mostPodsAt) },
      isAffected: affected.has(key) || was.wanted !== is.wanted,
    };
  };
  return [...tracker.workloads]
    .filter(([key]) => [before, after].some(({ states }) => isThere(states.get(key))))
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(reportOf);
}

const nothing: WorkloadState = { pods: 0, ready: 0, zones: {}, skew: 0 };

const isThere = ({ wanted = 0, pods }: WorkloadState = nothing) => wanted > 0 || pods > 0;

/** The workloads that Pods came to or went from. */
function affectedWorkloads({ departures, came }: WhatIfRun): ReadonlySet<string | undefined> {
  return new Set([
    ...departures.all().map(({ workload }) => workload),
    ...came.map(({ workloads }) => workloads.at(-1)),
  ]);
}

/** The parts of `Deployment default/web`. */
function nameIn(key: string): Pick<WorkloadReport, "kind" | "namespace" | "name"> {
  const [kind = "", place = ""] = key.split(" ");
  const [namespace = "", name = ""] = place.split("/");
  return { kind, namespace, name };
}
