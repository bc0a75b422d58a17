import { expect, test } from "vitest";
import type { StoredObject } from "../../src/api/object.ts";
import type { ScaledObject } from "../../src/page/contract.ts";
import { deployment } from "../../src/testing/deployment.ts";
import { pod } from "../../src/testing/pod.ts";
import { replicaSet } from "../../src/testing/replica-set.ts";
import { ClusterState } from "../live/cluster-state.ts";
import type { WatchedKind } from "../live/kinds.ts";
import { podsOfScaled, scaledPreview } from "./scaled-objects.ts";

const scaled = (traits: Partial<ScaledObject> = {}): ScaledObject => ({
  group: "example.com",
  kind: "Widget",
  namespace: "default",
  name: "one",
  uid: "uid-of-one",
  selector: "app=web",
  ...traits,
});

function stateOf(objects: Partial<Record<WatchedKind, readonly StoredObject[]>>): ClusterState {
  const state = new ClusterState();
  for (const [kind, all] of Object.entries(objects))
    for (const after of all) {
      const key = `${after.metadata.namespace}/${after.metadata.name}`;
      state.apply({ kind: kind as WatchedKind, key, before: undefined, after });
    }
  return state;
}

const owned = (kind: string, name: string) => ({ owner: { apiVersion: "apps/v1", kind, name } });

test.for([
  {
    name: "Pods of one ReplicaSet",
    state: { replicaSets: [replicaSet("rs")], pods: [pod("a", owned("ReplicaSet", "rs"))] },
    preview: { kind: "through", workload: { kind: "ReplicaSet" } },
  },
  {
    name: "Pods of a Deployment",
    state: {
      deployments: [deployment("web", {})],
      replicaSets: [replicaSet("rs", { owner: "web" }), replicaSet("rs2", { owner: "web" })],
      pods: [pod("a", owned("ReplicaSet", "rs")), pod("b", owned("ReplicaSet", "rs2"))],
    },
    preview: { kind: "through", workload: { kind: "Deployment" } },
  },
  {
    name: "Pods of its own",
    state: { pods: [pod("a", owned("Widget", "one"))] },
    preview: {
      kind: "unknown",
      why: "Widget one owns its Pods, and which of them go is up to its controller",
    },
  },
  {
    name: "Pods of two owners",
    state: {
      replicaSets: [replicaSet("rs"), replicaSet("rs2")],
      pods: [pod("a", owned("ReplicaSet", "rs")), pod("b", owned("ReplicaSet", "rs2"))],
    },
    preview: {
      kind: "unknown",
      why: "its Pods have several owners, and its controller decides how they share",
    },
  },
  { name: "no Pods", state: {}, preview: { kind: "unknown", why: "none of its Pods is there" } },
])("the scale of an object with $name", ({ state: objects, preview }) => {
  const state = stateOf(objects);
  expect(scaledPreview(scaled(), podsOfScaled(scaled(), state), state)).toMatchObject(preview);
});

test.for([{ selector: "app in (" }, { selector: "app=,=" }])(
  "the selector $selector selects nothing that can be said",
  ({ selector }) => {
    const state = stateOf({ pods: [pod("a")] });
    const object = scaled({ selector });
    expect(podsOfScaled(object, state)).toBeUndefined();
    expect(scaledPreview(object, undefined, state)).toEqual({
      kind: "unknown",
      why: "its status does not say which Pods are its own",
    });
  },
);
