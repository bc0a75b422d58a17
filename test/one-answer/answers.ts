import { defaultFeatureGates } from "../../src/api/feature-gates.ts";
import type { ReplicaSet } from "../../src/api/generated/apps-v1.ts";
import type { JsonObject } from "../../src/api/json.ts";
import type { Resource } from "../../src/api/resource.ts";
import { deployments, replicaSets, replicationControllers } from "../../src/api/resources.ts";
import { pickerPortFactory } from "../../src/cluster/picker-access.ts";
import { interpretPickerAnswer } from "../../src/decisions/downscale/picker-answer.ts";
import { clusterResources, collectionNames } from "../../src/decisions/explain/cluster-objects.ts";
import type { DecidedBy } from "../../src/decisions/explain/decided-by.ts";
import { explainScaleDown } from "../../src/decisions/explain/explain-scale-down.ts";
import type { PickerAnswerGiven, PickerExplanation } from "../../src/decisions/explain/rank-candidates.ts";
import { removalEncoder, type RemovalRecord } from "../../src/decisions/explain/removal-record.ts";
import { sizeEncoder } from "../../src/decisions/explain/size-record.ts";
import { VirtualClock } from "../../src/machinery/clock/virtual-clock.ts";
import { DecisionLog } from "../../src/machinery/diagnostics/decision-log.ts";
import { InformerFactory } from "../../src/machinery/informer/informer-factory.ts";
import { silentLogger } from "../../src/machinery/log/logger.ts";
import { seededRandom } from "../../src/machinery/random/random.ts";
import { type SimulatedPicker, simulatedConnector } from "../../src/picker/simulated-picker.ts";
import { takeSnapshot } from "../../src/simulation/snapshot/snapshot.ts";
import { runWhatIf } from "../../src/simulation/what-if/run-what-if.ts";
import { createSteering } from "../../src/steering/steering.ts";
import { paths } from "../../src/steering/webhook-paths.ts";
import { memoryMetrics } from "../../src/testing/memory-metrics.ts";
import { type TestApi, testApi } from "../../src/testing/test-api.ts";
import { testCluster } from "../../src/testing/test-cluster.ts";
import { previewScale } from "../../ui/model/scale-preview.ts";
import type { Workload } from "../../ui/model/workloads.ts";
import { namespace, now, pickerHost, type RandomScaleDown } from "./random-scale-down.ts";

/** A Pod that goes, and why; the first to go first. */
export interface Gone {
  readonly pod: string;
  readonly rule: string;
  readonly reason: string;
}

/** What the page previews: before "Ask the picker" without the picker, and after it with what that answers. */
export function pageAnswer(
  { objects, workload, replicas }: RandomScaleDown,
  picker?: SimulatedPicker,
): readonly Gone[] {
  const { kind, name } = workload;
  const {
    deployments: Deployment,
    replicaSets: ReplicaSet,
    replicationControllers: ReplicationController,
  } = objects;
  const lists = { Deployment, ReplicaSet, ReplicationController };
  const object = lists[kind].find(({ metadata }) => metadata.name === name);
  const context = { gates: defaultFeatureGates, now, profile: "trimtab" } as const;
  const answers = pickerAnswers({ objects, workload, replicas }, "embedded", picker);
  const preview = previewScale({ kind, object } as Workload, replicas, {
    objects,
    context,
    ...(picker !== undefined && { answers }),
  });
  return (preview?.removals ?? []).map(({ pod, rule, reason }) => ({
    pod: pod.metadata.name,
    rule,
    reason,
  }));
}

/** The Pods that `trimtab explain` says go, for the controllers of Trimtab or for steered ones. */
export function explainAnswer(
  scene: RandomScaleDown,
  controllers: DecidedBy["controllers"],
  picker?: SimulatedPicker,
): readonly string[] {
  const answers = pickerAnswers(scene, controllers, picker);
  const told = explainScaleDown(scene.objects, { ...questionOf(scene, controllers), pickerAnswers: answers });
  return (told?.owners ?? []).flatMap(({ candidates }) =>
    candidates.filter(({ verdict }) => verdict === "goes").map(({ pod }) => pod),
  );
}

type Asked = Pick<RandomScaleDown, "objects" | "workload" | "replicas">;

function questionOf({ workload, replicas }: Asked, controllers: DecidedBy["controllers"]) {
  const decidedBy = { profile: "trimtab", controllers, how: "chosen", because: "" } as const;
  return { workload, replicas, now, decidedBy };
}

/** What the picker answers to the questions of each ReplicaSet, by its name. */
function pickerAnswers(
  scene: Asked,
  controllers: DecidedBy["controllers"],
  picker: SimulatedPicker | undefined,
): Readonly<Record<string, readonly PickerAnswerGiven[]>> {
  const unasked = explainScaleDown(scene.objects, questionOf(scene, controllers));
  const answers = (unasked?.owners ?? []).map(
    ({ name, pickers }) => [name, pickers.map((asked) => answerOf(asked, picker))] as const,
  );
  return Object.fromEntries(answers);
}

function answerOf(
  { requested, candidates }: PickerExplanation,
  picker: SimulatedPicker | undefined,
): PickerAnswerGiven {
  const answer = interpretPickerAnswer(picker?.pick({ requested, candidates }, now), candidates);
  if (answer.kind !== "Ranked") return { outcome: answer.kind, chosen: [], tied: [] };
  return { outcome: "answered", chosen: [...answer.chosen], tied: [...answer.tied] };
}

/** What the controllers record when the workload is scaled. */
export async function controllersAnswer(scene: RandomScaleDown): Promise<readonly Gone[]> {
  const { store, clock } = seeded(scene);
  const cluster = await testCluster({
    store,
    clock,
    nodes: [],
    // The Deployment of a revision would give it back its size.
    components: ["replicaset", "replicationmanager", ...(scene.shape === "revision" ? [] : ["deployment"])],
    pickerConnector: () => simulatedConnector(pickersOf(scene), clock),
  });
  try {
    const { kind, name } = scene.workload;
    const patch = { type: "merge", body: { spec: { replicas: scene.replicas } } } as const;
    await clock.runUntil(now);
    if (kind === "Deployment") await cluster.client.patch(deployments, { namespace, name }, patch);
    else if (kind === "ReplicaSet") await cluster.client.patch(replicaSets, { namespace, name }, patch);
    else await cluster.client.patch(replicationControllers, { namespace, name }, patch);
    await clock.runUntil(now);
    return goneIn(cluster.decisions.removals.find());
  } finally {
    await cluster.stop();
  }
}

/** What `trimtab steer` decides when somebody scales the ReplicaSet: the same as for any other request, but at once. */
export async function steerAnswer(scene: RandomScaleDown): Promise<readonly Gone[]> {
  const { client, clock } = seeded(scene);
  const random = seededRandom("steer");
  const stopping = new AbortController();
  const { signal } = stopping;
  const informers = new InformerFactory({ client, clock, random, log: silentLogger });
  const metrics = memoryMetrics();
  const environment = { client, clock, random, log: silentLogger, metrics, informers, signal };
  const removals = new DecisionLog(removalEncoder);
  const { handlers } = createSteering(environment, {
    gates: () => defaultFeatureGates,
    records: { removals, sizes: new DecisionLog(sizeEncoder) },
    pickers: pickerPortFactory(() => simulatedConnector(pickersOf(scene), clock)),
  });
  const running = informers.run(signal);
  await clock.runUntil(now);
  const [owner] = scene.objects.replicaSets;
  const name = owner?.metadata.name ?? "";
  const live = await client.get(replicaSets, { namespace, name });
  const answering = handlers[paths.sizes]?.(
    {
      uid: "request",
      resource: "replicasets/scale",
      operation: "UPDATE",
      namespace,
      name,
      oldObject: scaleOf(live, live.spec.replicas ?? 1),
      object: scaleOf(live, scene.replicas),
      isDryRun: false,
    },
    10_000,
  );
  await clock.runUntilSettled(Promise.resolve(answering));
  stopping.abort();
  await clock.runUntilSettled(Promise.resolve(running));
  return goneIn(removals.find());
}

function scaleOf({ metadata }: ReplicaSet, replicas: number): JsonObject {
  const { name, uid, resourceVersion } = metadata;
  return {
    apiVersion: "autoscaling/v1",
    kind: "Scale",
    metadata: { namespace, name, uid, resourceVersion },
    spec: { replicas },
  };
}

/** The Pods that go in a what-if, in no order: it says when Pods were gone. A picker answers where the scene has one. */
export async function whatIfAnswer(scene: RandomScaleDown): Promise<readonly string[]> {
  const { objects, workload, replicas } = scene;
  const { went } = await runWhatIf({
    snapshot: takeSnapshot(objects, { now }),
    changes: [
      {
        scale: {
          workload: `${workload.kind.toLowerCase()}/${workload.name}`,
          namespace: workload.namespace,
          replicas,
        },
      },
    ],
    seed: "what-if",
    controllers: "embedded",
    pickers: pickersOf(scene),
  });
  const before = new Set(objects.pods.map(({ metadata }) => metadata.name));
  return went.map(({ pod }) => pod).filter((name) => before.has(name));
}

function pickersOf({ picker }: RandomScaleDown): ReadonlyMap<string, SimulatedPicker> {
  return new Map(picker === undefined ? [] : [[pickerHost, picker]]);
}

/** An API server that has the objects. */
function seeded({ objects }: RandomScaleDown): TestApi {
  const api = testApi(new VirtualClock(now));
  for (const name of collectionNames) {
    const resource: Resource = clusterResources[name];
    for (const object of objects[name]) api.seed(resource, object);
  }
  return api;
}

/** The Pods of the first decision, which is the oldest. */
function goneIn(records: readonly RemovalRecord[]): readonly Gone[] {
  return (records.at(-1)?.candidates ?? [])
    .filter(({ verdict }) => verdict === "goes")
    .map(({ pod, because, reason }) => ({ pod, rule: because?.rule ?? "", reason }));
}
