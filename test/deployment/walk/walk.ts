import type { ReplicaSet } from "../../../src/api/generated/apps-v1.ts";
import type { JsonObject } from "../../../src/api/json.ts";
import { isActive } from "../../../src/api/pod-state.ts";
import { deployments, pods, replicaSets } from "../../../src/api/resources.ts";
import { type Cluster, startCluster } from "../../../src/cluster/start-cluster.ts";
import { VirtualClock } from "../../../src/machinery/clock/virtual-clock.ts";
import type { ControllerSpec } from "../../../src/machinery/controller.ts";
import { type Random, seededRandom } from "../../../src/machinery/random/random.ts";
import type { OverseenRequest } from "../../../src/testing/oversee.ts";
import { at, template, web } from "../builders.ts";
import { type Errand, type Route, routeOf } from "./errand.ts";
import { judgePods } from "./judge-pods.ts";
import { LookJudge } from "./look-judge.ts";
import { comeToRest } from "./rest.ts";
import { Weather } from "./weather.ts";

/** What became of a walk. */
export interface Walk {
  readonly route: Route;
  /** Every promise that was broken, with the second in which it was. */
  readonly breaches: readonly string[];
  /** Everything that was ever stored, for comparing two walks of one seed. */
  readonly history: readonly string[];
}

/** Plays the route of a seed in a cluster of its own, and holds the controllers to their promises on the way. */
export async function walk(seed: string): Promise<Walk> {
  const clock = new VirtualClock(0);
  const random = seededRandom(seed);
  const route = routeOf(random.fork("route"));
  const breaches: string[] = [];
  const breach = (what: string) => breaches.push(`${clock.now() / 1000} s: ${what}`);
  const weather = new Weather(random.fork("weather"));
  const cluster = await startJudged({ clock, random, weather, breach });
  await clock.advance(1000);
  await cluster.client.create(deployments, web(route.begin));
  await clock.advance(60_000);
  const history = record(cluster);
  judgePods(cluster.store, route, breach);
  for (const { afterMs, errand } of route.errands) {
    await clock.advance(afterMs);
    if (route.sort === "rough") weather.change();
    await run(errand, cluster, random);
  }
  await clock.advance(30_000);
  weather.calm();
  await run({ do: "resume" }, cluster, random);
  await comeToRest(cluster.client, clock, breach);
  await cluster.stop();
  return { route, breaches, history };
}

interface Watch {
  readonly clock: VirtualClock;
  readonly random: Random;
  readonly weather: Weather;
  readonly breach: (what: string) => void;
}

/** A cluster whose Deployment controller is watched at every look and every write. */
async function startJudged({ clock, random, weather, breach }: Watch): Promise<Cluster> {
  let judge: LookJudge | undefined;
  const judgeWrites = ({ verb, resource, subresource, body }: OverseenRequest) => {
    const isWrite = verb === "create" || verb === "update";
    if (!isWrite || resource !== "replicasets.apps" || subresource !== undefined) return undefined;
    const { metadata, spec } = body as ReplicaSet;
    judge?.written(metadata.name, spec.replicas ?? 1).forEach(breach);
    return undefined;
  };
  const cluster: Cluster = await startCluster({
    clock,
    random,
    nodes: 2,
    surroundings: (part, shared) => {
      if (part !== "deployment" && part !== "replicaset") return shared;
      const line = weather.line(shared.client);
      if (part === "replicaset") return { ...shared, client: line.client };
      line.interfere(judgeWrites);
      return { ...shared, client: line.client, oversee: judged };
    },
  });

  function judged(spec: ControllerSpec): ControllerSpec {
    return {
      ...spec,
      reconcile(key, signal) {
        const informers = cluster.parts.find(({ name }) => name === "deployment")?.informers;
        const deployment = informers?.of(deployments).get(key);
        const known = informers?.of(replicaSets).list() ?? [];
        judge = deployment && new LookJudge({ deployment, replicaSets: known, now: clock.now() });
        return spec.reconcile(key, signal);
      },
    };
  }
  return cluster;
}

async function run(errand: Errand, { client }: Cluster, random: Random): Promise<void> {
  const merge = (body: JsonObject) => client.patch(deployments, at("web"), { type: "merge", body });
  switch (errand.do) {
    case "scale":
      await merge({ spec: { replicas: errand.replicas } });
      return;
    case "roll-out": {
      const operations = [
        { op: "replace", path: "/spec/template", value: template(errand.pods) as JsonObject },
      ];
      await client.patch(deployments, at("web"), { type: "json", operations });
      return;
    }
    case "undo":
      await merge({ metadata: { annotations: { "deprecated.deployment.rollback.to": "0" } } });
      return;
    case "limit": {
      const { maxSurge, maxUnavailable } = errand;
      const { spec } = await client.get(deployments, at("web"));
      if (spec.strategy?.type === "Recreate") return;
      await merge({ spec: { strategy: { rollingUpdate: { maxSurge, maxUnavailable } } } });
      return;
    }
    case "pause":
    case "resume":
      await merge({ spec: { paused: errand.do === "pause" } });
      return;
    case "set-policy":
      await merge({ spec: { podReplacementPolicy: errand.policy } });
      return;
    case "evict": {
      const body = { metadata: { annotations: { "sim.trimtab.dev/terminationDelay": errand.endsIn } } };
      const { items } = await client.list(pods, { namespace: "default" });
      for (const { metadata } of items.filter(isActive)) {
        if (random.next() > errand.share) continue;
        await client.patch(pods, metadata, { type: "merge", body });
        await client.delete(pods, metadata);
      }
    }
  }
}

function record({ store }: Cluster): readonly string[] {
  const lines: string[] = [];
  for (const name of ["deployments.apps", "replicasets.apps", "pods"]) {
    store.collection(name).subscribe({ of: "all" }, (events) => {
      for (const { type, record: stored } of events)
        lines.push(`${type} ${name} ${stored.key} ${stored.revision}`);
    });
  }
  return lines;
}
