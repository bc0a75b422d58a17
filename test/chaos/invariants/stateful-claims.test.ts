import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../../src/api/json.ts";
import { MemoryStore } from "../../../src/cluster/store/memory-store.ts";
import { VirtualClock } from "../../../src/machinery/clock/virtual-clock.ts";
import { statefulSet } from "../../../src/testing/stateful-set.ts";
import { claimsOfOrdinals } from "./stateful-claims.ts";

type Policy = "Retain" | "Delete";

/** The store of a set with one Pod, `web-0`, and whatever claim it has. */
function storeOf({ whenScaled, claim }: { readonly whenScaled: Policy; readonly claim?: JsonObject }) {
  const clock = new VirtualClock();
  const store = new MemoryStore({ clock });
  const set = statefulSet("web", {
    spec: {
      persistentVolumeClaimRetentionPolicy: { whenDeleted: "Retain", whenScaled },
      volumeClaimTemplates: [{ metadata: { name: "data" }, spec: {} }] as never,
    },
  });
  const { namespace = "", uid } = set.metadata;
  const put = (collection: string, object: object, name: string) =>
    store.collection(collection).put(`${namespace}/${name}`, object as JsonObject);
  put("statefulsets.apps", set, "web");
  const controller = { apiVersion: "apps/v1", kind: "StatefulSet", name: "web", uid, controller: true };
  put("pods", { metadata: { name: "web-0", namespace, uid: "new", ownerReferences: [controller] } }, "web-0");
  if (claim !== undefined) {
    const metadata = { name: "data-web-0", namespace, uid: "claim", ...(claim["metadata"] as JsonObject) };
    put("persistentvolumeclaims", { status: { phase: "Bound" }, ...claim, metadata }, "data-web-0");
  }
  return { clock, store };
}

const deleted = (pod: string): JsonObject => ({
  metadata: {
    deletionTimestamp: "2026-01-01T00:00:00Z",
    ownerReferences: [{ apiVersion: "v1", kind: "Pod", name: "web-0", uid: pod, controller: true }],
  },
});

describe("the claim of a Pod, when the cluster is stable", () => {
  test.for<{ name: string; whenScaled?: Policy; claim?: JsonObject; wrong?: RegExp }>([
    { name: "is bound", claim: {} },
    { name: "is not bound", claim: { status: { phase: "Pending" } }, wrong: /is not bound/ },
    { name: "is not there", wrong: /is not there/ },
    { name: "goes with an earlier Pod, whose policy was changed to Retain", claim: deleted("old") },
    {
      name: "goes with an earlier Pod that the controller had to wait for",
      whenScaled: "Delete",
      claim: deleted("old"),
      wrong: /is being deleted/,
    },
    { name: "goes with the Pod itself", claim: deleted("new"), wrong: /is being deleted/ },
  ])("$name", ({ whenScaled = "Retain", claim, wrong }) => {
    const { clock, store } = storeOf({ whenScaled, ...(claim !== undefined && { claim }) });
    const { stable } = claimsOfOrdinals.begin({
      clock,
      store: () => store,
      processes: () => [],
      conditions: { hasFaults: true, latencyMs: 0 },
    });
    expect(stable?.({ kind: "stable" }) ?? "").toMatch(wrong ?? /^$/);
  });
});
