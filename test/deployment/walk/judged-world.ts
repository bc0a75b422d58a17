import type { ReplicaSet } from "../../../src/api/generated/apps-v1.ts";
import type { Pod } from "../../../src/api/generated/core-v1.ts";
import { isControlledBy } from "../../../src/api/owner-references.ts";
import { isActive, isReady } from "../../../src/api/pod-state.ts";
import { deployments, replicaSets } from "../../../src/api/resources.ts";
import type { ControllerSpec } from "../../../src/machinery/controller.ts";
import { startSimulatedCluster, type SimulatedCluster } from "../../../src/simulation/simulated-cluster.ts";
import type { ObservedRequest } from "../../../src/testing/observe-client.ts";
import { deepFreeze } from "../../../src/testing/deep-freeze.ts";
import type { VirtualClock } from "../../../src/machinery/clock/virtual-clock.ts";
import { LookJudge } from "./look-judge.ts";
import { misread, type Misreading, type Mutation } from "./mutation.ts";
import type { Weather } from "./weather.ts";

export interface JudgedWorldOptions {
  readonly seed: string;
  readonly clock: VirtualClock;
  readonly weather: Weather;
  readonly breach: (what: string) => void;
  /** Whether rolling passes are held to the Pods that are available in fact, too. */
  readonly goesByFacts: boolean;
  readonly mutation: Mutation;
}

/** A world whose Deployment controller is watched at every look and every write. */
export async function startJudged(options: JudgedWorldOptions): Promise<SimulatedCluster> {
  const { seed, clock, weather, breach, goesByFacts, mutation } = options;
  let judge: LookJudge | undefined;
  let misreading: Misreading | undefined;
  const judgeWrites = ({ verb, resource, subresource, body }: ObservedRequest) => {
    const isWrite = verb === "create" || verb === "update";
    if (!isWrite || resource !== "replicasets.apps" || subresource !== undefined) return undefined;
    const { metadata, spec } = body as ReplicaSet;
    judge?.written(metadata.name, spec.replicas ?? 1).forEach(breach);
    return undefined;
  };
  const world: SimulatedCluster = await startSimulatedCluster({
    seed,
    clock,
    nodes: 2,
    guard: deepFreeze,
    componentOverrides: (part, shared) => {
      if (part !== "deployment" && part !== "replicaset") return shared;
      const line = weather.line(shared.client);
      if (part === "replicaset") return { ...shared, client: line.client };
      line.failRequests(judgeWrites);
      misreading = misread(line.client, mutation);
      return { ...shared, client: misreading.client, intercept: judged };
    },
  });

  function judged(spec: ControllerSpec): ControllerSpec {
    return {
      ...spec,
      reconcile(key, signal) {
        const informers = world.components.find(({ name }) => name === "deployment")?.informers;
        const deployment = informers?.of(deployments).get(key);
        const known = informers?.of(replicaSets).list() ?? [];
        judge =
          deployment &&
          new LookJudge({
            deployment,
            replicaSets: known.map((each) => misreading?.original(each) ?? each),
            now: clock.now(),
            availableInFact: goesByFacts ? readyPodsIn(world) : undefined,
          });
        return spec.reconcile(key, signal);
      },
    };
  }
  return world;
}

/** Where nobody has to be ready for long, the available Pods are the ready ones. */
function readyPodsIn({ store }: SimulatedCluster): (replicaSet: ReplicaSet) => number {
  return ({ metadata }) => {
    const all = [...store.collection("pods").records()].map(({ object }) => object as unknown as Pod);
    return all.filter((pod) => isControlledBy(pod, metadata.uid) && isActive(pod) && isReady(pod)).length;
  };
}
