import { onTestFinished } from "vitest";
import type { Deployment } from "../../../api/generated/apps-v1.ts";
import type { ConfigMap, Pod } from "../../../api/generated/core-v1.ts";
import type { Draft } from "../../../api/object.ts";
import { configMaps, namespaces, serviceAccounts } from "../../../api/resources.ts";
import { isAlreadyExists } from "../api-error.ts";
import type { Client, WatchEvent } from "../client.ts";

/** A client of an API server of its own, on which no controllers run. */
export interface ClientUnderTest {
  readonly client: Client;
  readonly close: () => Promise<void>;
  /** Lets the server's time pass; what needs it is skipped without. */
  readonly pass?: ((durationMs: number) => Promise<void>) | undefined;
  /** Makes the server forget its history up to now; what needs it is skipped without. */
  readonly compact?: (() => Promise<void> | void) | undefined;
}

export type CreateClient = () => Promise<ClientUnderTest>;

/** A client and a namespace of its own in which Pods can be created. */
export interface ClientFixture extends Omit<ClientUnderTest, "close"> {
  readonly namespace: string;
  /** How an object of the namespace is addressed. */
  readonly at: (name: string) => { readonly namespace: string; readonly name: string };
}

let namespacesMade = 0;

/** A fixture for one test, gone after it. */
export async function newClientFixture(create: CreateClient): Promise<ClientFixture> {
  const { close, ...fixture } = await create();
  onTestFinished(close);
  const namespace = await newNamespace(fixture.client);
  return { ...fixture, namespace, at: (name) => ({ namespace, name }) };
}

export async function newNamespace(client: Client): Promise<string> {
  const name = `contract-${++namespacesMade}`;
  await client.create(namespaces, { metadata: { name }, spec: {} });
  try {
    await client.create(serviceAccounts, { metadata: { namespace: name, name: "default" } });
  } catch (error) {
    if (!isAlreadyExists(error)) throw error;
  }
  return name;
}

type Labels = Readonly<Record<string, string>>;

export function configMapDraft(
  { namespace }: Pick<ClientFixture, "namespace">,
  name: string,
  { labels, data = {} }: { readonly labels?: Labels; readonly data?: Labels } = {},
): Draft<ConfigMap> {
  return { metadata: { namespace, name, ...(labels !== undefined && { labels }) }, data };
}

export function makeConfigMap(
  fixture: ClientFixture,
  name: string,
  traits?: { readonly labels?: Labels; readonly data?: Labels },
): Promise<ConfigMap> {
  return fixture.client.create(configMaps, configMapDraft(fixture, name, traits));
}

/** Bound to a node that does not exist, unless the spec says otherwise, so that no kubelet touches it. */
export function podDraft(
  { namespace }: Pick<ClientFixture, "namespace">,
  name: string,
  spec: Partial<Draft<Pod>["spec"]> = { nodeName: "nowhere" },
): Draft<Pod> {
  return {
    metadata: { namespace, name },
    spec: { containers: [{ name: "app", image: "registry.example/app:1" }], ...spec },
  };
}

export function deploymentDraft(
  { namespace }: Pick<ClientFixture, "namespace">,
  name: string,
): Draft<Deployment> {
  const labels = { app: name };
  return {
    metadata: { namespace, name },
    spec: {
      replicas: 1,
      selector: { matchLabels: labels },
      template: {
        metadata: { labels },
        spec: { containers: [{ name: "app", image: "registry.example/app:1" }] },
      },
    },
  };
}

/** The first events of a watch. */
export async function take<T>(events: AsyncIterable<WatchEvent<T>>, count: number): Promise<WatchEvent<T>[]> {
  const taken: WatchEvent<T>[] = [];
  if (count === 0) return taken;
  for await (const event of events) {
    taken.push(event);
    if (taken.length === count) break;
  }
  return taken;
}

/** What happened to what, in few words: `ADDED a`. */
export function brief(
  events: readonly WatchEvent<{ readonly metadata: { readonly name: string } }>[],
): string[] {
  return events.map((event) =>
    event.type === "BOOKMARK"
      ? `BOOKMARK${event.initialEventsEnd ? " (initial events end)" : ""}`
      : `${event.type} ${event.object.metadata.name}`,
  );
}

/** What a promise fails with. */
export function errorOf(work: Promise<unknown>): Promise<unknown> {
  return work.then(
    () => undefined,
    (error: unknown) => error,
  );
}
