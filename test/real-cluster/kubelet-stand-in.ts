import type { Lease } from "../../src/api/generated/coordination-v1.ts";
import type { Pod } from "../../src/api/generated/core-v1.ts";
import { leases, namespaces, nodes, persistentVolumeClaims, pods } from "../../src/api/resources.ts";
import { formatMicroTime } from "../../src/api/time.ts";
import { kubeletController } from "../../src/cluster/kubelet/kubelet.ts";
import { isUnreachable } from "../../src/cluster/kubelet/behaviour/node-behaviour.ts";
import {
  isSimulated,
  simulatedNode,
  simulatedNodeName,
} from "../../src/cluster/kubelet/nodes/simulated-node.ts";
import { isNotFound, isConflict } from "../../src/machinery/client/api-error.ts";
import type { Client } from "../../src/machinery/client/client.ts";
import type { Clock } from "../../src/machinery/clock/clock.ts";
import { WallClock } from "../../src/machinery/clock/wall-clock.ts";
import { controllerComponent, runComponents } from "../../src/machinery/component/component.ts";
import { type ControllerSpec, type ReconcileResult, done, watching } from "../../src/machinery/controller.ts";
import { eventRecorderFor } from "../../src/machinery/events/event-recorder.ts";
import type { Informer } from "../../src/machinery/informer/informer.ts";
import { silentLogger } from "../../src/machinery/log/logger.ts";
import { systemRandom } from "../../src/machinery/random/system-random.ts";
import { memoryMetrics } from "../../src/testing/memory-metrics.ts";
import { isBeingDeleted, keyOf } from "../../src/api/object.ts";

/** Runs the containers of some Pods for real; all others are simulated. */
export interface PodProcesses {
  /** Whether a Pod is one of them; must not change during its life. */
  readonly runs: (pod: Pod) => boolean;
  /**
   * Makes the processes of a Pod and its status what the Pod says; called whenever the Pod changes, and when the result
   * says. A Pod that is deleted has to be ended and then deleted with a grace period of 0.
   */
  readonly sync: (pod: Pod, client: Client) => Promise<ReconcileResult>;
  /** Ends all processes. */
  readonly stop: () => Promise<void>;
}

export interface KubeletOptions {
  readonly client: Client;
  readonly nodes: number;
  readonly zones: number;
  /** Whether it also assigns Pods to nodes, in turn, since no scheduler runs. */
  readonly binds: boolean;
  readonly processes?: PodProcesses | undefined;
}

/** A kubelet for all nodes of a real cluster. */
export interface KubeletStandIn {
  readonly stop: () => Promise<void>;
}

/** Much shorter than the shortest grace period of a test, for machines that do much else besides. */
const renewEveryMs = 3000;
const leaseNamespace = "kube-node-lease";

/**
 * Registers nodes, renews their Leases and runs their Pods, with the kubelet of the embedded cluster: the annotations
 * `sim.trimtab.dev/startDelay`, `readyDelay`, `terminationDelay` and their kind say how long containers take. Resolves
 * when the nodes are there and the Pods are watched.
 */
export async function startKubelet(options: KubeletOptions): Promise<KubeletStandIn> {
  const { client, processes } = options;
  const clock = new WallClock();
  const random = systemRandom();
  const names = Array.from({ length: options.nodes }, (_, index) => simulatedNodeName(index));
  for (const index of names.keys())
    await client.create(nodes, simulatedNode({ index, zones: options.zones }, clock.now()));

  const ending = new AbortController();
  let running: Promise<unknown> = Promise.resolve();
  await new Promise<void>((resolve, reject) => {
    const environment = { client, clock, random, log: silentLogger, metrics: memoryMetrics() };
    const components = [
      controllerComponent({
        name: "kubelet",
        create: (own) => {
          const events = eventRecorderFor(own, "kubelet");
          const spec = kubeletController({
            client,
            clock,
            events,
            pods: own.informers.of(pods),
            nodes: own.informers.of(nodes),
            namespaces: own.informers.of(namespaces),
            claims: own.informers.of(persistentVolumeClaims),
          });
          return processes === undefined ? spec : besides(processes, spec, own.informers.of(pods), client);
        },
      }),
      ...(options.binds
        ? [
            controllerComponent({
              name: "binder",
              create: ({ informers }) => binder(client, informers.of(pods), names),
            }),
          ]
        : []),
    ];
    running = Promise.all([
      runComponents(components, { ...environment, synced: () => resolve() }, ending.signal),
      renewLeases(client, clock, ending.signal),
    ]);
    running.catch(reject);
  });
  return {
    async stop() {
      ending.abort(new Error("the cluster stops"));
      await running;
      await processes?.stop();
    },
  };
}

/** Leaves the Pods that processes run to them. */
function besides(
  processes: PodProcesses,
  spec: ControllerSpec,
  informer: Informer<Pod>,
  client: Client,
): ControllerSpec {
  return {
    ...spec,
    async reconcile(key, signal) {
      const pod = informer.get(key);
      if (pod === undefined || !processes.runs(pod)) return spec.reconcile(key, signal);
      return processes.sync(pod, client);
    },
  };
}

/**
 * Keeps the nodes that can be reached alive for the node lifecycle controller, those too that a test has made. An API
 * server that is away is asked again later.
 */
async function renewLeases(client: Client, clock: Clock, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const found = await client.list(nodes, {}).catch(() => ({ items: [] }));
    const alive = found.items.filter((node) => isSimulated(node) && !isUnreachable(node));
    for (const { metadata } of alive) await renewLease(client, metadata.name, clock).catch(() => undefined);
    await clock.sleep(renewEveryMs, signal).catch(() => undefined);
  }
}

async function renewLease(client: Client, name: string, clock: Clock): Promise<void> {
  const spec: Lease["spec"] = {
    holderIdentity: name,
    leaseDurationSeconds: 40,
    renewTime: formatMicroTime(clock.now()),
  };
  const at = { namespace: leaseNamespace, name };
  try {
    await client.patch(leases, at, { type: "merge", body: { spec } as never });
  } catch (error) {
    if (!isNotFound(error)) throw error;
    await client.create(leases, { metadata: at, spec });
  }
}

/** Assigns Pods to nodes in turn, where no scheduler runs. */
function binder(client: Client, informer: Informer<Pod>, names: readonly string[]): ControllerSpec {
  let next = 0;
  return {
    name: "binder",
    workers: 16,
    watches: [
      watching(informer, (queue) => ({
        added: (pod) => {
          if (pod.spec.nodeName === undefined) queue.add(keyOf(pod));
        },
      })),
    ],
    async reconcile(key) {
      const pod = informer.get(key);
      if (pod === undefined || pod.spec.nodeName !== undefined || isBeingDeleted(pod)) return done;
      const { namespace, name, uid } = pod.metadata;
      const node = names[next++ % names.length] ?? "";
      try {
        await client.bind({ namespace, name }, { uid, target: { kind: "Node", name: node } });
      } catch (error) {
        if (!isNotFound(error) && !isConflict(error)) throw error;
      }
      return done;
    },
  };
}
