import { expect, test } from "vitest";
import { defaultFeatureGates } from "../../src/api/feature-gates.ts";
import { daemonSet } from "../../src/testing/daemon-set.ts";
import { statefulSet } from "../../src/testing/stateful-set.ts";
import { ClusterState } from "../live/cluster-state.ts";
import type { WatchedKind } from "../live/kinds.ts";
import { workloadHeadline } from "./workload-headline.ts";
import { workloadsOf } from "./workloads.ts";

const context = { gates: defaultFeatureGates, profile: "trimtab", now: 0 } as const;

test("StatefulSets and DaemonSets say what they wait for, as Deployments do", () => {
  const state = new ClusterState();
  const put = (kind: WatchedKind, after: ReturnType<typeof statefulSet | typeof daemonSet>) =>
    state.apply({ kind, key: `default/${after.metadata.name}`, before: undefined, after });
  put("statefulSets", statefulSet("db", { replicas: 2 }));
  put("daemonSets", daemonSet("agent"));
  expect(workloadsOf(state).map((each) => [each.kind, workloadHeadline(each, state, context)])).toEqual([
    ["DaemonSet", { text: "rolled out, nothing is left to do", isWaiting: false }],
    ["StatefulSet", { text: "db-0 has to become available", isWaiting: true }],
  ]);
});
