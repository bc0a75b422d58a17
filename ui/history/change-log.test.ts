import * as fc from "fast-check";
import { expect, test } from "vitest";
import { pod } from "../../src/testing/pod.ts";
import { ClusterState } from "../live/cluster-state.ts";
import type { LiveChange } from "../live/kinds.ts";
import { ChangeLog, PastCluster } from "./change-log.ts";

/** What a cluster holds, as text. */
const content = (state: ClusterState) =>
  [...state.collections.pods].map(([key, each]) => `${key} on ${each.spec?.nodeName}`).sort();

/** Applies changes to a live cluster, one a second, and remembers what it held after each. */
function live(steps: readonly { readonly name: string; readonly node: string | null }[], limit?: number) {
  const state = new ClusterState();
  const log = new ChangeLog(0, limit);
  const held = [content(state)];
  for (const [index, { name, node }] of steps.entries()) {
    const key = `default/${name}`;
    const before = state.collections.pods.get(key);
    const change: LiveChange = {
      kind: "pods",
      key,
      before,
      after: node === null ? undefined : pod(name, { node }),
    };
    state.apply(change);
    log.add([change], (index + 1) * 1000);
    held.push(content(state));
  }
  return { state, log, held };
}

const steps = fc.array(
  fc.record({ name: fc.constantFrom("a", "b", "c"), node: fc.constantFrom("n1", "n2", null) }),
  { maxLength: 30 },
);

test("the cluster can be moved to any moment, forth and back, and is what it was then", () => {
  fc.assert(
    fc.property(steps, fc.array(fc.nat({ max: 31 }), { minLength: 1, maxLength: 8 }), (done, moments) => {
      const { state, log, held } = live(done);
      const past = new PastCluster(state, log);
      for (const moment of moments) {
        past.moveTo(moment * 1000 + 500);
        expect(content(past.state)).toEqual(held[Math.min(moment, done.length)]);
      }
    }),
  );
});

test("the past stays as it is while the live cluster goes on", () => {
  const { state, log } = live([{ name: "a", node: "n1" }]);
  const past = new PastCluster(state, log);
  past.moveTo(500);
  const change: LiveChange = {
    kind: "pods",
    key: "default/b",
    before: undefined,
    after: pod("b", { node: "n2" }),
  };
  state.apply(change);
  log.add([change], 2000);
  expect(content(past.state)).toEqual([]);
  past.moveTo(2500);
  expect(content(past.state)).toEqual(["default/a on n1", "default/b on n2"]);
});

test("beyond the limit the oldest changes are dropped, and the earliest moment moves on", () => {
  const many = Array.from({ length: 25 }, (_, index) => ({ name: `p${index}`, node: "n1" }));
  const { state, log, held } = live(many, 10);
  expect(log.since).toBeGreaterThan(0);
  const past = new PastCluster(state, log);
  past.moveTo(0);
  expect(content(past.state)).toEqual(held[log.since / 1000]);
});

test("a past that was looked at for so long that changes after it were dropped misses none of them", () => {
  const { state, log } = live([{ name: "a", node: "n1" }], 10);
  const past = new PastCluster(state, log);
  past.moveTo(500);
  for (let second = 2; second < 40; second++) {
    const name = `p${second}`;
    const change: LiveChange = {
      kind: "pods",
      key: `default/${name}`,
      before: undefined,
      after: pod(name, { node: "n2" }),
    };
    state.apply(change);
    log.add([change], second * 1000);
  }
  past.moveTo(40_000);
  expect(content(past.state)).toEqual(content(state));
});
