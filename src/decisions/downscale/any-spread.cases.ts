import * as fc from "fast-check";
import { defaultFeatureGates } from "../../api/feature-gates.ts";
import type { Pod } from "../../api/generated/core-v1.ts";
import { everything, selectionOf } from "../../api/labels/label-selector.ts";
import { pod } from "../../testing/pod.ts";
import { now } from "./any-pods.cases.ts";
import type { Facts, SpreadDomains } from "./facts.ts";

/** A workload, and the constraints by which its Pods were spread. */
export interface ConstrainedWorkload {
  readonly pods: readonly Pod[];
  readonly constraints: readonly SpreadDomains[];
  readonly facts: Facts;
}

const zoneKey = "topology.kubernetes.io/zone";
const hostKey = "kubernetes.io/hostname";
const rackKey = "example.com/rack";

/** Node i is in zone i % 3, and in rack i % 4: racks lie across zones, hosts inside of both. */
const nodes = Array.from({ length: 12 }, (_, index) => `node-${index}`);
const topologies: Readonly<Record<string, ReadonlyMap<string, string>>> = {
  [zoneKey]: new Map(nodes.map((name, index) => [name, "abc"[index % 3] ?? ""])),
  [rackKey]: new Map(nodes.map((name, index) => [name, `r${index % 4}`])),
  // The last nodes have no such label.
  [hostKey]: new Map(nodes.slice(0, 11).map((name) => [name, name])),
};

const readyTimes = ["2026-03-01T11:59:30Z", "2026-03-01T11:00:00Z", "2026-02-01T00:00:00Z"];

interface Shape {
  /** The topology keys of the constraints. */
  readonly keys: fc.Arbitrary<readonly string[]>;
  /** Whether rules above `spread` may tell Pods apart, and constraints may leave some of them out. */
  readonly isPlain: boolean;
}

const shapes: Readonly<Record<"any" | "nested" | "single", Shape>> = {
  any: {
    keys: fc.shuffledSubarray([zoneKey, rackKey, hostKey], { minLength: 1 }),
    isPlain: false,
  },
  nested: { keys: fc.constant([zoneKey, hostKey]), isPlain: true },
  single: { keys: fc.constantFrom([zoneKey], [rackKey], [hostKey]), isPlain: true },
};

/** Workloads of up to 40 Pods on twelve nodes, a few of them gone. */
export function anySpread(shape: keyof typeof shapes): fc.Arbitrary<ConstrainedWorkload> {
  const { keys, isPlain } = shapes[shape];
  const traits = fc.record({
    node: fc.constantFrom(...(isPlain ? nodes.slice(0, 11) : [...nodes, "gone"])),
    ready: isPlain
      ? fc.constant(true)
      : fc.oneof({ weight: 5, arbitrary: fc.constant(true) }, fc.constant(false)),
    readyAt: fc.constantFrom(...readyTimes),
    isCounted: isPlain
      ? fc.constant(true)
      : fc.oneof({ weight: 5, arbitrary: fc.constant(true) }, fc.constant(false)),
    uid: fc.uuid(),
  });
  const base = fc.array(fc.constantFrom(...nodes.slice(0, 11)), { maxLength: 8 });
  return fc.record({ keys, all: fc.array(traits, { minLength: 1, maxLength: 40 }), base }).map((drawn) => {
    const pods = drawn.all.map(({ isCounted, ...rest }, index) =>
      pod(`web-${index}`, { ...rest, labels: isCounted ? { tier: "front" } : {} }),
    );
    const constraints = drawn.keys.map((topologyKey) => constraintOn(topologyKey, drawn.base));
    const spread = { constraints, ignored: [] };
    return { pods, constraints, facts: { now, gates: defaultFeatureGates, related: () => 0, spread } };
  });
}

function constraintOn(topologyKey: string, base: readonly string[]): SpreadDomains {
  const domains = topologies[topologyKey] ?? new Map<string, string>();
  const counts = new Map<string, number>();
  for (const node of base) {
    const domain = domains.get(node);
    if (domain !== undefined) counts.set(domain, (counts.get(domain) ?? 0) + 1);
  }
  return {
    topologyKey,
    whenUnsatisfiable: "ScheduleAnyway",
    source: "pod",
    domains,
    selection:
      topologyKey === rackKey ? everything : selectionOf([{ operator: "=", key: "tier", value: "front" }]),
    base: counts,
  };
}
