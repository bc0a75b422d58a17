import { openSync, readSync } from "node:fs";
import type { ReplicaSet } from "../src/api/generated/apps-v1.ts";
import type { JsonObject } from "../src/api/json.ts";
import { keyOf, type StoredObject } from "../src/api/object.ts";
import { qualifiedName, type Resource } from "../src/api/resource.ts";
import { pods, replicaSets } from "../src/api/resources.ts";
import { startCluster } from "../src/cluster/start-cluster.ts";
import { MemoryStore } from "../src/cluster/store/memory-store.ts";
import type { Store } from "../src/cluster/store/store.ts";
import { WallClock } from "../src/machinery/clock/wall-clock.ts";
import { seededRandom } from "../src/machinery/random/random.ts";
import { replicaSet } from "../src/testing/replica-set.ts";
import type { Measure } from "./measure.ts";
import { realisticPods } from "./realistic-pods.ts";

/** How long the embedded cluster keeps the event loop from doing I/O while the Pods of a ReplicaSet come and go. */
export async function eventLoop(): Promise<readonly Measure[]> {
  return [
    ...(await scaling(0, 1000)),
    ...(await scaling(12_000, 0)),
    ...(await scaling(40_000, 0)),
    ...(await scaling(50_000, 0)),
  ];
}

/**
 * A ReplicaSet creates its Pods 500 at a time; the whole cluster runs, in wall time. In a process of its own: a collection of
 * the garbage that a bench before it left holds the loop for as long as the heap is large.
 */
export async function burst(): Promise<readonly Measure[]> {
  const [longest, ofMainThread] = await scaling(0, 500);
  return [longest, ofMainThread].flatMap((measure) =>
    measure === undefined ? [] : [{ ...measure, bar: 20 }],
  );
}

/** Starts a cluster with a ReplicaSet of one size, with all components and in wall time, and scales it to another. */
async function scaling(from: number, to: number): Promise<readonly Measure[]> {
  const clock = new WallClock();
  const store = new MemoryStore({ clock });
  fill(store, from);
  const nodes = Math.max(from, to) / podsPerNode;
  const started = longestGap(() => sizeOf(store) === from);
  const { client, stop } = await startCluster({ clock, random: seededRandom("bench"), nodes, store });
  const start = await started;

  await client.patch(replicaSets, web, { type: "merge", body: { spec: { replicas: to } } });
  const work = await longestGap(() => sizeOf(store) === to);
  await stop();
  const size = (count: number) => count.toLocaleString("en");
  const what = `ReplicaSet from ${size(from)} Pods to ${size(to)}`;
  return [
    ...(from === 0 ? [] : gapMeasures(`start with ${size(from)} Pods stored`, start)),
    ...gapMeasures(what, work),
    { what: "until all were ready or gone", value: work.tookMs, unit: "ms" },
  ];
}

function gapMeasures(what: string, { longestMs, longestCpuMs }: Gaps): readonly Measure[] {
  return [
    { what: `longest time without I/O: ${what}`, value: longestMs, unit: "ms", bar: 50, goal: 20 },
    // On a machine that does other work too, this is the share that is ours.
    ...(longestCpuMs === undefined
      ? []
      : [{ what: "the same, CPU time of the main thread", value: longestCpuMs, unit: "ms" } as const]),
  ];
}

const podsPerNode = 20;
const web = { namespace: "default", name: "web" };

/** Stores a ReplicaSet and its Pods as if they had been there for weeks. */
function fill(store: Store, count: number): void {
  const owner = replicaSet("web", { size: count });
  put(store, replicaSets, owner);
  const { name, uid, labels = {} } = owner.metadata;
  const ownerReferences = [{ apiVersion: "apps/v1", kind: "ReplicaSet", name, uid, controller: true }];
  for (const [index, pod] of realisticPods(count, 0).entries()) {
    const nodeName = `node-${1 + (index % (count / podsPerNode))}`;
    // Random names repeat now and then, and the missing Pods would be created and scheduled meanwhile.
    const metadata = { ...pod.metadata, name: `web-${index}`, ownerReferences, labels };
    put(store, pods, { ...pod, metadata, spec: { ...pod.spec, nodeName } });
  }
}

function put<T extends StoredObject>(store: Store, resource: Resource<T>, object: T): void {
  store.collection(qualifiedName(resource)).put(keyOf(object), object as unknown as JsonObject);
}

/** How many ready Pods a ReplicaSet reports; `undefined` while there are other Pods of it. */
function sizeOf(store: Store): number | undefined {
  const stored = store.collection(qualifiedName(replicaSets)).get(keyOf({ metadata: web }));
  const owner = stored?.object as ReplicaSet | undefined;
  const { replicas, readyReplicas = 0, terminatingReplicas } = owner?.status ?? {};
  return replicas === readyReplicas && terminatingReplicas === 0 ? replicas : undefined;
}

interface Gaps {
  readonly longestMs: number;
  /** `undefined` where the system does not tell. */
  readonly longestCpuMs: number | undefined;
  readonly tookMs: number;
}

/**
 * Measures until something has happened. An immediate runs after the event loop has polled for I/O: between two of
 * them no request was read and no response was written.
 */
function longestGap(hasHappened: () => boolean): Promise<Gaps> {
  const cpu = mainThreadReader();
  const start = performance.now();
  let last = start;
  let lastCpu = cpu?.() ?? 0;
  let longestMs = 0;
  let longestCpuMs = 0;
  return new Promise((resolve) => {
    const turn = () => {
      const now = performance.now();
      longestMs = Math.max(longestMs, now - last);
      last = now;
      const nowCpu = cpu?.() ?? 0;
      longestCpuMs = Math.max(longestCpuMs, nowCpu - lastCpu);
      lastCpu = nowCpu;
      if (!hasHappened()) setImmediate(turn);
      else resolve({ longestMs, longestCpuMs: cpu && longestCpuMs, tookMs: now - start });
    };
    setImmediate(turn);
  });
}

/**
 * Reads how long the main thread has run, in milliseconds: without the time in which the processors worked for others, and
 * without V8's helper threads. `undefined` where the system does not tell.
 */
function mainThreadReader(): (() => number) | undefined {
  let file: number;
  try {
    // The main thread has the number of the process. Linux: Documentation/scheduler/sched-stats.rst.
    file = openSync(`/proc/self/task/${process.pid}/schedstat`, "r");
  } catch {
    return undefined; // no Linux
  }
  const bytes = Buffer.alloc(64);
  return () => {
    const length = readSync(file, bytes, 0, bytes.length, 0);
    const [nanoseconds] = bytes.toString("latin1", 0, length).split(" ");
    return Number(nanoseconds) / 1e6;
  };
}
