import { deepEqual } from "../api/deep-equal.ts";
import type {
  MutatingWebhookConfiguration,
  ValidatingWebhookConfiguration,
} from "../api/generated/admissionregistration-v1.ts";
import type { ReplicaSet } from "../api/generated/apps-v1.ts";
import { controllerOf } from "../api/owner-references.ts";
import type { Resource } from "../api/resource.ts";
import { isSteered, wishesOf } from "../decisions/stock/wish.ts";
import { isAlreadyExists } from "../machinery/client/api-error.ts";
import { type ControllerSpec, type KeyQueue, watching } from "../machinery/controller.ts";
import type { Informer } from "../machinery/informer/informer.ts";
import type { SteeringDependencies } from "./dependencies.ts";
import type { ServingIdentity } from "./serving/certificate-secret.ts";
import {
  mutatingWebhookConfigurations,
  mutatingWebhooks,
  namedScales,
  validatingWebhookConfigurations,
  validatingWebhooks,
  type WebhookFacts,
} from "./serving/webhook-configuration.ts";
import type { SteeringConfig } from "./steering-config.ts";

export interface WebhookDependencies extends Pick<
  SteeringDependencies,
  "client" | "replicaSets" | "namespaces" | "log" | "metrics"
> {
  readonly config: SteeringConfig;
  readonly identity: () => ServingIdentity;
  readonly mutating: Informer<MutatingWebhookConfiguration>;
  readonly validating: Informer<ValidatingWebhookConfiguration>;
}

/** Rollouts make ReplicaSets all the time, and people scale their Deployment: for those the configuration follows at leisure. */
const followMs = 5000;
/** A ReplicaSet without an owner is scaled by itself, and maybe right after it has asked. */
const followSoonMs = 200;
const recheckMs = 60_000;

/** Keeps the webhook configurations as they have to be, and the certificate in them right. */
export function webhooksController(deps: WebhookDependencies): ControllerSpec {
  const { config, identity, mutating, validating, replicaSets, namespaces, log, metrics } = deps;
  const { name } = config;
  const steered = (replicaSet: ReplicaSet): boolean => {
    const labels = namespaces.get(replicaSet.metadata.namespace ?? "")?.metadata.labels;
    return isSteered(wishesOf(replicaSet, labels));
  };
  let unnamed = 0;
  const scalesOf = (asking: readonly ReplicaSet[]): readonly string[] => {
    const scaled = namedScales(asking);
    const left = asking.length - scaled.length;
    if (left > 0 && unnamed === 0)
      log.warn("more ReplicaSets ask to be steered than the webhook for /scale can name", { unnamed: left });
    unnamed = left;
    metrics.unnamedScales.set({}, unnamed);
    return scaled;
  };
  const facts = (): WebhookFacts => {
    const { trusted } = identity();
    return {
      caBundle: trusted === undefined ? undefined : Buffer.from(trusted).toString("base64"),
      scaled: scalesOf(replicaSets.list().filter(steered)),
    };
  };
  return {
    name: "steering-webhooks",
    workers: 1,
    watches: [
      watching(mutating, always(name)),
      watching(validating, always(name)),
      watching(replicaSets, (queue) => {
        const follow = (replicaSet: ReplicaSet) =>
          queue.addAfter(name, controllerOf(replicaSet) === undefined ? followSoonMs : followMs);
        const followSteered = (replicaSet: ReplicaSet) => {
          if (steered(replicaSet)) follow(replicaSet);
        };
        return {
          added: followSteered,
          updated: (before, replicaSet) => {
            if (steered(before) !== steered(replicaSet)) follow(replicaSet);
          },
          deleted: followSteered,
        };
      }),
      watching(namespaces, (queue) => ({
        updated: (before, namespace) => {
          if (!deepEqual(before.metadata.labels, namespace.metadata.labels))
            queue.addAfter(name, followSoonMs);
        },
      })),
      { synced: () => Promise.resolve(true), start: (queue) => startWith(queue, name) },
    ],
    async reconcile(_key, signal) {
      const now = facts();
      await keep(mutatingWebhookConfigurations, mutating.get(name), {
        deps,
        signal,
        webhooks: mutatingWebhooks(config, now),
      });
      await keep(validatingWebhookConfigurations, validating.get(name), {
        deps,
        signal,
        webhooks: validatingWebhooks(config, now),
      });
      return { requeueAfterMs: recheckMs };
    },
  };
}

function startWith(queue: KeyQueue, name: string): () => void {
  queue.add(name);
  return () => undefined;
}

const always = (name: string) => (queue: KeyQueue) => {
  const enqueue = (object: { readonly metadata: { readonly name: string } }) => {
    if (object.metadata.name === name) queue.add(name);
  };
  return {
    added: enqueue,
    updated: (_: unknown, object: Parameters<typeof enqueue>[0]) => enqueue(object),
    deleted: enqueue,
  };
};

type Configuration = MutatingWebhookConfiguration | ValidatingWebhookConfiguration;

interface Wanted<T extends Configuration> {
  readonly deps: WebhookDependencies;
  readonly signal: AbortSignal;
  readonly webhooks: NonNullable<T["webhooks"]>;
}

async function keep<T extends Configuration>(
  resource: Resource<T>,
  stored: T | undefined,
  { deps, signal, webhooks }: Wanted<T>,
): Promise<void> {
  const { client, config } = deps;
  if (stored === undefined) {
    const object = { metadata: { name: config.name, labels: ours }, webhooks } as unknown as T;
    await ifAbsent(client.create(resource, object, { signal }));
    return;
  }
  const wanted = withStoredBundles(webhooks, stored.webhooks ?? []);
  if (deepEqual(stored.webhooks ?? [], wanted)) return;
  await client.update(resource, { ...stored, webhooks: wanted }, { signal });
}

/** An object that exists although the watch has not shown it yet, such as our own of a moment ago, is compared when it does. */
async function ifAbsent(creating: Promise<unknown>): Promise<void> {
  try {
    await creating;
  } catch (error) {
    if (!isAlreadyExists(error)) throw error;
  }
}

const ours = { "app.kubernetes.io/managed-by": "trimtab-steer" };

type Entry = NonNullable<Configuration["webhooks"]>[number];

/** Where another program fills in what the API server trusts, it stays. */
function withStoredBundles(wanted: readonly Entry[], stored: readonly Entry[]): readonly Entry[] {
  return wanted.map((webhook) => {
    const caBundle = stored.find(({ name }) => name === webhook.name)?.clientConfig.caBundle;
    if (webhook.clientConfig.caBundle !== undefined || caBundle === undefined) return webhook;
    return { ...webhook, clientConfig: { ...webhook.clientConfig, caBundle } };
  });
}
