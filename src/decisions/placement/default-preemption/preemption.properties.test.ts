import * as fc from "fast-check";
import { expect, test } from "vitest";
import { node } from "../../../testing/node.ts";
import { budget, fitsOn, preemptFor, type PreemptionCase, type Running } from "./preemption-cluster.cases.ts";

const names = ["a", "b", "c"];
const nodes = names.map((name) => node(name, { allocatable: { cpu: "6" } }));

const running: fc.Arbitrary<readonly Running[]> = fc
  .array(
    fc.record({
      on: fc.constantFrom(...names),
      cpu: fc.integer({ min: 1, max: 3 }),
      priority: fc.constantFrom(-1, 0, 5, 10, 20),
      app: fc.constantFrom("web", "other"),
      startedAt: fc.constantFrom("2026-01-01T00:00:00Z", "2026-01-02T00:00:00Z"),
    }),
    { minLength: 8, maxLength: 14 },
  )
  .map((pods) => pods.map(({ app, ...each }, index) => ({ ...each, name: `p${index}`, labels: { app } })));

const incoming = fc.record({ cpu: fc.integer({ min: 2, max: 6 }), priority: fc.constantFrom(5, 10, 15) });
const constraint = {
  maxSkew: 1,
  topologyKey: "kubernetes.io/hostname",
  whenUnsatisfiable: "DoNotSchedule",
  labelSelector: { matchLabels: { app: "web" } },
};

interface Scene extends PreemptionCase {
  readonly running: readonly Running[];
  readonly incoming: { readonly cpu: number; readonly priority: number };
}

const scenes: fc.Arbitrary<Scene> = fc
  .record({ running, incoming, spreads: fc.boolean() })
  .map(({ spreads, ...given }) => ({
    nodes,
    ...given,
    incoming: { ...given.incoming, ...(spreads && { spec: { topologySpreadConstraints: [constraint] } }) },
  }));

const lowerOn = ({ running, incoming }: Scene, name: string) =>
  running.filter(({ on, priority = 0 }) => on === name && priority < incoming.priority);

/** The same cluster without some of its Pods, made anew: no dry run is involved. */
const without = (scene: Scene, gone: readonly Running[]): Scene => ({
  ...scene,
  running: scene.running.filter((each) => !gone.includes(each)),
});

test("only less important Pods of one node go, the Pod fits without them, and with none of them back", () => {
  fc.assert(
    fc.property(scenes, (scene) => {
      const result = preemptFor(scene);
      if (result?.kind !== "preempts") return;
      const gone = scene.running.filter(({ name }) => result.victims.some((victim) => victim.name === name));
      expect(gone).toHaveLength(result.victims.length);
      expect(lowerOn(scene, result.node)).toEqual(expect.arrayContaining([...gone]));
      expect(fitsOn(without(scene, gone), result.node)).toBe(true);
      for (const each of gone) {
        const rest = gone.filter((other) => other !== each);
        expect(fitsOn(without(scene, rest), result.node)).toBe(false);
      }
    }),
    { numRuns: 80 },
  );
});

test("nothing is preempted for a Pod that fits, and it gives up only where removing all of them does not help", () => {
  fc.assert(
    fc.property(scenes, (scene) => {
      const result = preemptFor(scene);
      expect(result === undefined).toBe(names.some((name) => fitsOn(scene, name)));
      if (result?.kind !== "gives-up") return;
      for (const name of names) expect(fitsOn(without(scene, lowerOn(scene, name)), name)).toBe(false);
    }),
    { numRuns: 80 },
  );
});

test("a Pod without disruptions left goes only if no node has room without such Pods", () => {
  const resources = fc.record({ running, incoming }).map((given): Scene => ({
    nodes,
    ...given,
    budgets: [budget(0)],
  }));
  fc.assert(
    fc.property(resources, (scene) => {
      const result = preemptFor(scene);
      if (result?.kind !== "preempts") return;
      const isSpared = result.victims.every(({ labels }) => labels?.["app"] !== "web");
      const hasRoom = names.some((name) => {
        const free = lowerOn(scene, name).filter(({ labels }) => labels?.["app"] !== "web");
        return fitsOn(without(scene, free), name);
      });
      expect(isSpared).toBe(hasRoom);
    }),
    { numRuns: 80 },
  );
});
