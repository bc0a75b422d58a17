import * as fc from "fast-check";
import { expect, test } from "vitest";
import { defaultFeatureGates } from "../../src/api/feature-gates.ts";
import type { Pod } from "../../src/api/generated/core-v1.ts";
import { defaultPlugins, type PluginArgs } from "../../src/decisions/placement/default-plugins.ts";
import { type Placement, placePod } from "../../src/decisions/placement/place-pod.ts";
import { PlacementWorkspace } from "../../src/decisions/placement/placement-workspace.ts";
import { pluginSetOf } from "../../src/decisions/placement/plugin-entry.ts";
import type { ClusterView } from "../../src/decisions/placement/view/cluster-view.ts";
import { clusterViewOf } from "../../src/decisions/placement/view/list-view.ts";
import { podInfo } from "../../src/decisions/placement/objects/pod-info.ts";
import { randomInt, seededRandom } from "../../src/machinery/random/random.ts";
import { perTier } from "../tier.ts";
import { plainPlugins } from "./default-plugins.ts";
import { pluginSetOf as plainPluginSetOf } from "./plugin-set.ts";
import { happening, TwofoldCluster } from "./event-sequence.ts";
import { placePod as placePlainly } from "./place-pod.ts";
import { runningPod, waitingPod } from "./random-objects.ts";

/** The configurations that are compared: built-in defaults, SelectorSpread, and an operator's list of constraints. */
const configurations: readonly { readonly args: PluginArgs; readonly withSelectorSpread: boolean }[] = [
  { args: { PodTopologySpread: { defaultingType: "System" } }, withSelectorSpread: false },
  { args: { PodTopologySpread: { defaultingType: "List" } }, withSelectorSpread: true },
  {
    args: {
      PodTopologySpread: {
        defaultingType: "List",
        defaultConstraints: [
          { maxSkew: 1, topologyKey: "topology.kubernetes.io/zone", whenUnsatisfiable: "DoNotSchedule" },
          { maxSkew: 2, topologyKey: "rack", whenUnsatisfiable: "ScheduleAnyway" },
        ],
      },
      NodeResourcesFit: { scoringStrategy: { type: "MostAllocated" } },
      NodeResourcesBalancedAllocation: {
        resources: [
          { name: "cpu", weight: 1 },
          { name: "memory", weight: 1 },
          { name: "example.com/gpu", weight: 1 },
        ],
      },
    },
    withSelectorSpread: false,
  },
];
const compared = configurations.map(({ args, withSelectorSpread }) => ({
  fast: pluginSetOf(
    defaultPlugins(args, { ...defaultFeatureGates, DefaultPodTopologySpread: !withSelectorSpread }),
  ),
  plain: plainPluginSetOf(plainPlugins(args, withSelectorSpread)),
}));

/** Events, and after each of them a Pod to place. */
const sequence = fc.array(fc.record({ event: happening, pod: waitingPod, seed: fc.nat(1000) }), {
  minLength: 10,
  maxLength: 60,
});

test("places every Pod as the plain scheduler does, with the same verdicts, scores and draws", () => {
  fc.assert(
    fc.property(sequence, fc.nat(2), (steps, which) => {
      const cluster = new TwofoldCluster();
      const plugins = compared[which] ?? compared[0];
      if (plugins === undefined) throw new Error("there are configurations");
      const workspace = new PlacementWorkspace();
      for (const { event, pod, seed } of steps) {
        cluster.apply(event);
        const options = optionsFor(pod, seed);
        const plain = placePlainly(pod, cluster.plain(), { ...options(), pluginSet: plugins.plain });
        const place = (again: { readonly workspace?: PlacementWorkspace }) =>
          placePod(pod, cluster.cache.view, { ...options(), ...again, pluginSet: plugins.fast });
        expect(plainly(place({}))).toEqual(plain);
        expect(plainly(place({ workspace }))).toEqual(plain);
        // To make a view of all objects takes long: not after every event.
        if (seed % 5 > 0) continue;
        const listed = clusterViewOf(cluster.objects());
        expect(plainly(placePod(pod, listed, { ...options(), pluginSet: plugins.fast }))).toEqual(plain);
      }
    }),
    { numRuns: perTier({ unit: 40, full: 2000 }) },
  );
});

test("a dry run places a Pod as if a node had other Pods, and leaves no trace", () => {
  const assumed = fc.record({ pod: waitingPod, added: runningPod, taken: fc.nat(7), seed: fc.nat(1000) });
  fc.assert(
    fc.property(
      fc.array(happening, { minLength: 10, maxLength: 40 }),
      assumed,
      (events, { pod, added, taken, seed }) => {
        const cluster = new TwofoldCluster();
        for (const event of events) cluster.apply(event);
        const { view } = cluster.cache;
        const [plugins] = compared;
        const node = view.nodes[seed % Math.max(view.nodes.length, 1)];
        if (node === undefined || plugins === undefined) return;
        const options = optionsFor(pod, seed);
        const placedIn = (assumed: ClusterView) =>
          plainly(placePod(pod, assumed, { ...options(), pluginSet: plugins.fast }));
        const before = placedIn(view);
        const without = node.pods.filter((_, index) => ((taken >> index) & 1) === 1);
        const other = { ...added, metadata: { ...added.metadata, uid: "uid-of-added" } };
        const assumed = cluster.plain({
          without: new Set(without.map((each) => each.pod.metadata.uid)),
          with: { ...other, spec: { ...other.spec, nodeName: node.name } },
        });
        const plain = placePlainly(pod, assumed, { ...options(), pluginSet: plugins.plain });
        view.dryRun(node, { without, with: [podInfo(other)] }, (dry) => {
          expect(cluster.cache.recount()).toBeUndefined();
          expect(placedIn(dry.cluster)).toEqual(plain);
        });
        expect(cluster.cache.recount()).toBeUndefined();
        expect(placedIn(view)).toEqual(before);

        const listed = clusterViewOf(cluster.objects());
        const same = listed.nodes.find(({ name }) => name === node.name);
        const gone = new Set(without.map((each) => each.pod.metadata.uid));
        if (same === undefined) throw new Error("both have the same nodes");
        const change = {
          without: same.pods.filter((each) => gone.has(each.pod.metadata.uid)),
          with: [podInfo(other)],
        };
        expect(listed.dryRun(same, change, (dry) => placedIn(dry.cluster))).toEqual(plain);
        expect(placedIn(listed)).toEqual(before);
      },
    ),
    { numRuns: perTier({ unit: 100, full: 3000 }) },
  );
});

/** A placement in the form of the plain scheduler. */
function plainly({ scored, refused, ...others }: Placement) {
  const nodes = scored.nodes.map((node, index) => ({ node, total: scored.totals[index] }));
  const { totals: _, ...sheet } = scored;
  return { ...others, refused: refused.toArray(), scored: { ...sheet, nodes } };
}

function optionsFor(pod: Pod, seed: number) {
  const nominatedNode = pod.status?.nominatedNodeName;
  return () => {
    const random = seededRandom(`ties-${seed}`);
    return {
      draw: (limit: number) => randomInt(random, limit),
      start: seed % 7,
      ...(nominatedNode !== undefined && { nominatedNode }),
    };
  };
}
