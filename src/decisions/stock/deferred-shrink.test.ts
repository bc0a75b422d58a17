import { describe, expect, test } from "vitest";
import {
  answerShrink,
  deferredLabel,
  formatDeferred,
  readDeferred,
  shrinkPatch,
  withoutDeferredPatch,
} from "./deferred-shrink.ts";

const now = 1_795_100_000_000;
const ago = (seconds: number) => now / 1000 - seconds;
const pending = (size: number, seconds = 1) => ({ size, askedAt: ago(seconds), isReady: false });
const ready = (size: number, seconds = 1) => ({ ...pending(size, seconds), isReady: true });
const defer = (deferred: ReturnType<typeof pending>) => ({ kind: "defer", deferred });
const admit = (size: number) => ({ kind: "admit", size });

describe("a ReplicaSet of 10 Pods that asks for fewer", () => {
  test.for([
    { name: "is deferred first", asked: 7, deferred: undefined, want: defer(pending(7, 0)) },
    { name: "asks again for the same and waits", asked: 7, deferred: pending(7), want: defer(pending(7)) },
    { name: "gets what is decided", asked: 7, deferred: ready(7), want: admit(7) },
    { name: "for none gets it", asked: 0, deferred: pending(7), want: admit(0) },
    { name: "for still fewer does not start anew", asked: 4, deferred: pending(7), want: defer(pending(7)) },
    { name: "for still fewer gets what is decided first", asked: 4, deferred: ready(7), want: admit(7) },
    { name: "for more within two seconds waits", asked: 8, deferred: pending(7), want: defer(pending(7)) },
    { name: "for more after that counts", asked: 8, deferred: pending(7, 2), want: defer(pending(8, 0)) },
    { name: "for more than decided never gets less", asked: 8, deferred: ready(7), want: defer(ready(7)) },
    { name: "that nobody decides goes on", asked: 7, deferred: pending(7, 61), want: admit(7) },
    { name: "has a label of earlier", asked: 7, deferred: ready(12), want: defer(pending(7, 0)) },
  ])("$name", ({ asked, deferred, want }) => {
    expect(answerShrink({ old: 10, asked, deferred, now })).toEqual(want);
  });
});

test.for(["", "7", "7.x", "-1.5", "7.5.done", "7.5.ready.", "99999999999.1", 7, undefined])(
  "%j is no deferral",
  (text) => {
    expect(readDeferred(text)).toBeUndefined();
  },
);

test.each([pending(7), ready(0)])("%j is read as it was written, and fits into a label", (deferred) => {
  const text = formatDeferred(deferred);
  expect(readDeferred(text)).toEqual(deferred);
  expect(text).toMatch(/^[\w.]{1,63}$/);
});

const desired = "deployment.kubernetes.io/desired-replicas";
const most = "deployment.kubernetes.io/max-replicas";
const request = {
  old: 10,
  asked: 7,
  generation: 3,
  object: { labels: { app: "web" }, annotations: { [desired]: "7", [most]: "8" } },
  oldObject: { labels: { app: "web" }, annotations: { [desired]: "10" } },
};

test("a deferred request keeps the size and what says that it was scaled", () => {
  expect(shrinkPatch({ kind: "defer", deferred: pending(7) }, request)).toEqual([
    { op: "replace", path: "/spec/replicas", value: 10 },
    { op: "add", path: "/metadata/annotations/deployment.kubernetes.io~1desired-replicas", value: "10" },
    { op: "remove", path: "/metadata/annotations/deployment.kubernetes.io~1max-replicas" },
    {
      op: "add",
      path: "/metadata/labels/trimtab.dev~1deferred",
      value: formatDeferred(pending(7)),
    },
  ]);
});

test("a deferred request of an Argo Rollout keeps what its controller sees by that it was scaled", () => {
  const desiredByRollout = "rollout.argoproj.io/desired-replicas";
  const asked = {
    ...request,
    object: { labels: {}, annotations: { [desiredByRollout]: "7" } },
    oldObject: { labels: {}, annotations: { [desiredByRollout]: "10" } },
  };
  expect(shrinkPatch({ kind: "defer", deferred: pending(7) }, asked)).toContainEqual({
    op: "add",
    path: "/metadata/annotations/rollout.argoproj.io~1desired-replicas",
    value: "10",
  });
});

test("an admitted request loses the label and names the generation that comes", () => {
  const labels = { app: "web", [deferredLabel]: formatDeferred(ready(7)) };
  const asked = { ...request, object: { ...request.object, labels } };
  expect(shrinkPatch({ kind: "admit", size: 7 }, asked)).toEqual([
    { op: "remove", path: "/metadata/labels/trimtab.dev~1deferred" },
    { op: "add", path: "/metadata/labels/trimtab.dev~1admitted", value: "4" },
  ]);
});

test("objects without labels and annotations get what they need", () => {
  const bare = { labels: undefined, annotations: undefined };
  const patch = shrinkPatch(
    { kind: "defer", deferred: pending(7) },
    { ...request, object: bare, oldObject: { ...bare, annotations: { [desired]: "10" } } },
  );
  expect(patch.map(({ op, path }) => [op, path])).toEqual([
    ["replace", "/spec/replicas"],
    ["add", "/metadata/annotations"],
    ["add", "/metadata/annotations/deployment.kubernetes.io~1desired-replicas"],
    ["add", "/metadata/labels"],
    ["add", "/metadata/labels/trimtab.dev~1deferred"],
  ]);
  expect(withoutDeferredPatch(undefined)).toEqual([]);
});
