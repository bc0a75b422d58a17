import { expect } from "vitest";
import type { Deployment, DeploymentStatus, ReplicaSet } from "../../src/api/generated/apps-v1.ts";
import type { Event, Pod, PodTemplateSpec } from "../../src/api/generated/core-v1.ts";
import type { JsonObject } from "../../src/api/json.ts";
import { deployments, events, pods, replicaSets } from "../../src/api/resources.ts";
import { at, namespace, type PodTraits, template, web, type WebTraits } from "./builders.ts";
import type { DeploymentFixture } from "./fixture.ts";

/** Creates a Deployment and lets the controllers see it. */
export async function deploy(fixture: DeploymentFixture, traits: WebTraits = {}): Promise<Deployment> {
  const created = await fixture.client.create(deployments, web(traits));
  await fixture.clock.settle();
  return created;
}

/** Creates a Deployment and waits until all its Pods are available. */
export async function deployed(fixture: DeploymentFixture, traits: WebTraits = {}): Promise<Deployment> {
  const { metadata } = await deploy(fixture, traits);
  await fixture.clock.advance(5000);
  const deployment = await fixture.client.get(deployments, metadata);
  expect(progressOf(deployment), "the first rollout").toBe("NewReplicaSetAvailable");
  return deployment;
}

export async function patch(fixture: DeploymentFixture, body: JsonObject, name = "web"): Promise<Deployment> {
  const patched = await fixture.client.patch(deployments, at(name), { type: "merge", body });
  await fixture.clock.settle();
  return patched;
}

export const scaleTo = (fixture: DeploymentFixture, replicas: number) =>
  patch(fixture, { spec: { replicas } });
export const pause = (fixture: DeploymentFixture) => patch(fixture, { spec: { paused: true } });
export const resume = (fixture: DeploymentFixture) => patch(fixture, { spec: { paused: null } });

/** Gives the Deployment another template, and with it another revision. */
export async function setImage(
  fixture: DeploymentFixture,
  image: string,
  traits: PodTraits = {},
): Promise<void> {
  const value = template({ ...traits, image }) as JsonObject;
  const operations = [{ op: "replace", path: "/spec/template", value }];
  await fixture.client.patch(deployments, at("web"), { type: "json", operations });
  await fixture.clock.settle();
}

export const stored = ({ client }: DeploymentFixture, name = "web") => client.get(deployments, at(name));

export async function statusOf(fixture: DeploymentFixture, name = "web"): Promise<DeploymentStatus> {
  return (await stored(fixture, name)).status ?? {};
}

/** The reason of the `Progressing` condition. */
export function progressOf({ status }: Deployment): string | undefined {
  return status?.conditions?.find(({ type }) => type === "Progressing")?.reason;
}

export const imageOf = ({ spec }: { readonly spec: { readonly template?: PodTemplateSpec } }) =>
  spec.template?.spec?.containers?.[0]?.image ?? "";

/** Every ReplicaSet of the namespace, the newest revision first. */
export async function revisions({ client }: DeploymentFixture): Promise<readonly ReplicaSet[]> {
  const { items } = await client.list(replicaSets, { namespace });
  return items.toSorted((a, b) => revisionOf(b) - revisionOf(a));
}

export const revisionOf = ({ metadata }: { readonly metadata: ReplicaSet["metadata"] }) =>
  Number(metadata.annotations?.["deployment.kubernetes.io/revision"] ?? 0);

/** The sizes of the revisions, the newest first. */
export async function sizes(fixture: DeploymentFixture): Promise<readonly number[]> {
  return (await revisions(fixture)).map(({ spec }) => spec.replicas ?? 1);
}

/** The notes of a scale on every revision, newest first: `desired/max`, and `/before` while one is held back. */
export async function marks(fixture: DeploymentFixture): Promise<readonly string[]> {
  return (await revisions(fixture)).map(marksOf);
}

function marksOf({ metadata }: ReplicaSet): string {
  const mark = (name: string) => metadata.annotations?.[`deployment.kubernetes.io/${name}`];
  const all = [mark("desired-replicas"), mark("max-replicas"), mark("replicaset-replicas-before-scale")];
  return all.filter((value) => value !== undefined).join("/");
}

/** What limits every revision, newest first, as the latest record of the rollout has it. */
export const limitsOf = ({ rollouts }: DeploymentFixture) => rollouts.find(at("web"))[0]?.revisions ?? [];

/** The same in words. */
export const reasonsOf = (fixture: DeploymentFixture) => limitsOf(fixture).map(({ reason }) => reason);

export async function podsOf({ client }: DeploymentFixture): Promise<readonly Pod[]> {
  return (await client.list(pods, { namespace })).items;
}

/** Deletes Pods as an eviction does; they then take so long to terminate. */
export async function evict(
  fixture: DeploymentFixture,
  victims: readonly Pod[],
  endsIn: string,
): Promise<void> {
  const body = { metadata: { annotations: { "sim.trimtab.dev/terminationDelay": endsIn } } };
  for (const { metadata } of victims) {
    await fixture.client.patch(pods, metadata, { type: "merge", body });
    await fixture.client.delete(pods, metadata);
  }
  await fixture.clock.settle();
}

export async function eventsOf(fixture: DeploymentFixture, reason: string): Promise<readonly Event[]> {
  await fixture.clock.settle();
  const { items } = await fixture.client.list(events, { namespace });
  return items.filter((event) => event.reason === reason);
}
