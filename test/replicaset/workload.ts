import type { ReplicaSet } from "../../src/api/generated/apps-v1.ts";
import type { Pod, PodCondition, PodStatus } from "../../src/api/generated/core-v1.ts";
import type { OwnerReference } from "../../src/api/generated/meta-v1.ts";
import type { JsonObject } from "../../src/api/json.ts";
import type { Draft } from "../../src/api/object.ts";
import { isActive } from "../../src/api/pod-state.ts";
import { pods, replicaSets } from "../../src/api/resources.ts";
import { formatTime } from "../../src/api/time.ts";
import type { ReplicaSetFixture } from "./fixture.ts";

type Labels = Readonly<Record<string, string>>;

export const at = (name: string) => ({ namespace: "default", name });

export const labels = { app: "web" };
const spec = { containers: [{ name: "app", image: "registry.example/app:1" }] };

/** What a test may want to be different about a ReplicaSet on its way to the server. */
export interface WorkloadTraits {
  readonly replicas?: number;
  readonly minReadySeconds?: number;
  readonly labels?: Labels;
  readonly finalizers?: readonly string[];
  readonly ownerReferences?: readonly OwnerReference[];
  readonly templateAnnotations?: Labels;
  readonly templateFinalizers?: readonly string[];
}

/** A ReplicaSet of web servers: one Pod, but for the traits given. */
export function workload(name: string, traits: WorkloadTraits = {}): Draft<ReplicaSet> {
  const {
    replicas = 1,
    minReadySeconds = 0,
    labels: own = labels,
    finalizers = [],
    ownerReferences = [],
  } = traits;
  const { templateAnnotations: annotations = {}, templateFinalizers = [] } = traits;
  return {
    metadata: { ...at(name), finalizers, ownerReferences },
    spec: {
      replicas,
      minReadySeconds,
      selector: { matchLabels: own },
      template: { metadata: { labels: own, annotations, finalizers: templateFinalizers }, spec },
    },
  };
}

/** A Pod that was not created by a ReplicaSet. */
function loosePod(name: string, metadata: Draft<Pod>["metadata"] = {}): Draft<Pod> {
  return { metadata: { ...at(name), labels, ...metadata }, spec };
}

/** Creates one, and waits until everyone has seen it. */
export async function createLoosePod(
  fixture: ReplicaSetFixture,
  name: string,
  metadata?: Draft<Pod>["metadata"],
): Promise<Pod> {
  const created = await fixture.client.create(pods, loosePod(name, metadata));
  await fixture.clock.settle();
  return created;
}

export function ownerReferenceTo(
  { metadata, kind = "ReplicaSet" }: Pick<ReplicaSet, "metadata" | "kind">,
  controller: boolean,
): OwnerReference {
  return { apiVersion: "apps/v1", kind, name: metadata.name, uid: metadata.uid, controller };
}

export async function create(
  fixture: ReplicaSetFixture,
  name: string,
  traits?: WorkloadTraits,
): Promise<ReplicaSet> {
  const created = await fixture.client.create(replicaSets, workload(name, traits));
  await fixture.clock.settle();
  return created;
}

/** Creates a ReplicaSet and waits until its Pods run. */
export async function createRunning(
  fixture: ReplicaSetFixture,
  name: string,
  traits?: WorkloadTraits,
): Promise<ReplicaSet> {
  const created = await create(fixture, name, traits);
  await fixture.clock.advance(2000);
  return created;
}

export async function scale(fixture: ReplicaSetFixture, name: string, replicas: number): Promise<void> {
  await patchReplicaSet(fixture, name, { spec: { replicas } });
}

export async function patchReplicaSet(
  fixture: ReplicaSetFixture,
  name: string,
  body: JsonObject,
): Promise<void> {
  await fixture.client.patch(replicaSets, at(name), { type: "merge", body });
  await fixture.clock.settle();
}

/** Changes something about a ReplicaSet that means nothing, so that it is looked at. */
export async function poke(fixture: ReplicaSetFixture, name: string): Promise<void> {
  await patchReplicaSet(fixture, name, {
    metadata: { annotations: { poked: String(fixture.clock.now()), by: nextPoke() } },
  });
}

let pokes = 0;
const nextPoke = () => String(++pokes);

export async function patchPod(fixture: ReplicaSetFixture, name: string, body: JsonObject): Promise<void> {
  await fixture.client.patch(pods, at(name), { type: "merge", body });
  await fixture.clock.settle();
}

/** Has a Pod report something, in the place of a kubelet. */
export async function report(
  fixture: ReplicaSetFixture,
  name: string,
  status: Partial<PodStatus>,
): Promise<void> {
  const body = { status: status as JsonObject };
  await fixture.client.patch(pods, at(name), { type: "merge", body, subresource: "status" });
  await fixture.clock.settle();
}

/** A Pod that runs and has been Ready since an instant. */
export function readySince(instant: number, restarts = 0): Partial<PodStatus> {
  const ready: PodCondition = { type: "Ready", status: "True", lastTransitionTime: formatTime(instant) };
  const container = { name: "app", ready: true, restartCount: restarts, image: "", imageID: "" };
  return { phase: "Running", conditions: [ready], containerStatuses: [container] };
}

export async function allPods({ client }: ReplicaSetFixture): Promise<readonly Pod[]> {
  return (await client.list(pods, { namespace: "default" })).items;
}

export async function activePods(fixture: ReplicaSetFixture): Promise<readonly Pod[]> {
  return (await allPods(fixture)).filter(isActive);
}

export const namesOf = (objects: readonly { readonly metadata: { readonly name: string } }[]) =>
  objects.map(({ metadata }) => metadata.name).sort();

export async function statusOf({ client }: ReplicaSetFixture, name: string): Promise<ReplicaSet["status"]> {
  return (await client.get(replicaSets, at(name))).status;
}

/** What the controllers asked for since `from`: `create pods`, `update replicasets.apps/status`. */
export function asked({ controller }: ReplicaSetFixture, what: string, from = 0): number {
  return controller.requests.slice(from).filter(({ verb, collection, subresource }) => {
    const whole = subresource === undefined ? collection : `${collection}/${subresource}`;
    return `${verb} ${whole}` === what;
  }).length;
}
