import * as fc from "fast-check";
import { test } from "vitest";
import { daemonPodDrafts } from "./draft-daemon-pod.ts";
import { type DaemonState, idleReason, planDaemonSet } from "./plan-daemon-set.ts";

/** There, of another type, or not there at all. */
function members(model: Readonly<Record<string, fc.Arbitrary<unknown>>>) {
  return fc.record(model, { requiredKeys: [] });
}

const word = fc.constantFrom(
  "",
  "a",
  "True",
  "Failed",
  "NoExecute",
  "In",
  "metadata.name",
  "2026-01-01T00:00:00Z",
  5,
  null,
);
const count = fc.constantFrom(-1, 0, 1, 3, "50%", "x", null);
const list = (item: fc.Arbitrary<unknown>) =>
  fc.oneof(fc.array(item, { maxLength: 2 }), fc.constantFrom(null, 7));
const labels = fc.constantFrom({ "controller-revision-hash": "a" }, {}, undefined, null);
const metadata = fc.record(
  {
    name: fc.constantFrom("a", "b"),
    uid: word,
    labels,
    creationTimestamp: word,
    deletionTimestamp: word,
    generation: count,
  },
  { requiredKeys: ["name"] },
);
const requirement = members({ key: word, operator: word, values: list(word) });
const terms = list(members({ matchExpressions: list(requirement), matchFields: list(requirement) }));
const required = members({ nodeSelectorTerms: terms });
const nodeAffinity = members({ requiredDuringSchedulingIgnoredDuringExecution: required });
const toleration = members({ key: word, operator: word, effect: word });
const podSpec = fc.oneof(
  members({
    nodeName: word,
    nodeSelector: labels,
    affinity: fc.oneof(members({ nodeAffinity }), fc.constant(null)),
    tolerations: list(toleration),
    hostNetwork: word,
    containers: list(members({ name: word })),
  }),
  fc.constantFrom(null, undefined, 3),
);
const conditions = list(members({ type: fc.constant("Ready"), status: word, lastTransitionTime: word }));
const anyOrNothing = (object: fc.Arbitrary<unknown>) => fc.oneof(object, fc.constantFrom(null, 4, {}));
const pods = fc.array(
  anyOrNothing(fc.record({ metadata, spec: podSpec, status: members({ phase: word, conditions }) })),
  { maxLength: 4 },
);
const nodes = fc.array(
  anyOrNothing(
    fc.record({ metadata, spec: fc.oneof(members({ taints: list(toleration) }), fc.constant(null)) }),
  ),
  { maxLength: 3 },
);
const revisions = fc.array(fc.record({ metadata, data: fc.constantFrom(null, 1, {}), revision: count }), {
  maxLength: 3,
});
const daemonSets = fc.record({
  metadata,
  spec: members({
    selector: fc.oneof(members({ matchLabels: labels }), fc.constant(null)),
    template: fc.oneof(members({ metadata: members({ labels }), spec: podSpec }), fc.constant(null)),
    updateStrategy: members({
      type: fc.constantFrom("OnDelete", "RollingUpdate", 4),
      rollingUpdate: members({ maxSurge: count, maxUnavailable: count }),
    }),
    minReadySeconds: count,
    revisionHistoryLimit: count,
  }),
  status: fc.oneof(members({ observedGeneration: count, collisionCount: count }), fc.constant(null)),
});

test("whatever is stored, deciding about a DaemonSet does not throw", () => {
  fc.assert(
    fc.property(daemonSets, nodes, pods, revisions, (daemonSet, anyNodes, anyPods, anyRevisions) => {
      const state = {
        daemonSet,
        nodes: anyNodes,
        pods: anyPods,
        revisions: anyRevisions,
        isExpecting: false,
        now: 0,
      };
      const stored = state as unknown as DaemonState;
      idleReason(stored.daemonSet);
      const { hash } = planDaemonSet(stored);
      daemonPodDrafts(stored.daemonSet, hash)("a");
    }),
    { numRuns: 400 },
  );
});
