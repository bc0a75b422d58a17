import type { Pod } from "../src/api/generated/core-v1.ts";
import { formatTime } from "../src/api/time.ts";
import { nameSuffix, newUid } from "../src/machinery/random/identifiers.ts";
import { randomInt, type Random, seededRandom } from "../src/machinery/random/random.ts";
import { pod } from "../src/testing/pod.ts";

/** The moment at which the Pods are looked at: 2026-03-01T12:00:00Z. */
export const now = 1_772_366_400_000;

/** The Pods of a large workload, about twenty to a node, of which a share is not assigned, not running or not ready. */
export function realisticPods(count: number, troubled: number): readonly Pod[] {
  const random = seededRandom("pods");
  const pods = Array.from({ length: count }, () => realisticPod(random, { nodes: count / 20, troubled }));
  // Through JSON, as they come from an API server: no objects shared, nor strings.
  return JSON.parse(JSON.stringify(pods)) as readonly Pod[];
}

function realisticPod(random: Random, { nodes, troubled }: { nodes: number; troubled: number }): Pod {
  const chance = (share: number): boolean => random.next() < share;
  // Most Pods are young, the oldest three weeks old.
  const createdAt = now - 60_000 - Math.floor(random.next() ** 3 * 21 * 86_400_000);
  return pod(`web-6d4b75cb6d-${nameSuffix(random)}`, {
    uid: newUid(random),
    labels: { "pod-template-hash": "6d4b75cb6d", tier: "front" },
    createdAt: formatTime(createdAt),
    readyAt: formatTime(createdAt + 4000 + randomInt(random, 30_000)),
    node: chance(troubled / 4) ? null : `node-${randomInt(random, nodes)}`,
    phase: chance(troubled / 4) ? "Pending" : "Running",
    ready: !chance(troubled / 2),
    restarts: chance(0.1) ? randomInt(random, 6) : 0,
    ...(chance(0.001) ? { deletionCost: -randomInt(random, 100) } : {}),
  });
}
