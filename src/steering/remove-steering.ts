import type { Lease } from "../api/generated/coordination-v1.ts";
import type { ReplicaSet } from "../api/generated/apps-v1.ts";
import type { StoredObject } from "../api/object.ts";
import type { Resource } from "../api/resource.ts";
import { deployments, leases, pods, replicaSets, secrets } from "../api/resources.ts";
import { parseTime } from "../api/time.ts";
import { admittedLabel } from "../decisions/stock/admitted-shrink.ts";
import { shrinkLabels } from "../decisions/stock/held-shrink.ts";
import { deferredLabel, deferredText, readDeferred } from "../decisions/stock/deferred-shrink.ts";
import { sizeOf } from "../decisions/rollout/counts.ts";
import { cappedAnnotation } from "../decisions/stock/admitted-size.ts";
import { roomLabel } from "../decisions/stock/wish.ts";
import { hasMarkAnnotations } from "../decisions/stock/mark.ts";
import { isGone, ifFound } from "../machinery/client/api-error.ts";
import type { Client, ListResult, ObjectName } from "../machinery/client/client.ts";
import type { Clock } from "../machinery/clock/clock.ts";
import { deploymentNameOf } from "./admission/find-workload.ts";
import { unmarkPod } from "./unmark-pod.ts";
import {
  mutatingWebhookConfigurations,
  validatingWebhookConfigurations,
} from "./serving/webhook-configuration.ts";

export interface RemoveSteeringOptions {
  readonly client: Client;
  readonly clock: Clock;
  /** Of the webhook configurations and of the Deployment, if `trimtab steer` runs as one. */
  readonly name: string;
  readonly namespace: string;
  /** Of the Lease that the copies share, in that namespace. */
  readonly lease: string;
  readonly secret: string;
}

interface RemoveOptions extends ObjectName {
  readonly signal: AbortSignal;
}

/** What was removed. */
export interface RemovedSteering {
  readonly configurations: number;
  readonly marks: number;
}

const patienceMs = 60_000;
const lookAgainMs = 500;
const pageSize = 500;
const atATime = 50;

/**
 * Takes everything of `trimtab steer` out of a cluster, but for what installed it. First its copies end, or they would
 * register anew; then the API server forgets the webhook; then no Pod keeps a mark. Throws one sentence if a copy that it
 * cannot end holds the Lease. May be repeated after a failure.
 */
export async function removeSteering(
  options: RemoveSteeringOptions,
  signal: AbortSignal,
): Promise<RemovedSteering> {
  const { client, name, namespace } = options;
  await ifFound(
    client.patch(
      deployments,
      { namespace, name },
      { type: "merge", body: { spec: { replicas: 0 } }, signal },
    ),
  );
  await untilNoneLeads(options, signal);
  const configurations = [mutatingWebhookConfigurations, validatingWebhookConfigurations];
  const removed = await Promise.all(configurations.map((each) => remove(client, each, { name, signal })));
  const marks = await undoMarks(client, signal);
  await removeRolloutState(client, signal);
  await remove(client, secrets, { namespace, name: options.secret, signal });
  await remove(client, leases, { namespace, name: options.lease, signal });
  return { configurations: removed.filter(Boolean).length, marks };
}

async function untilNoneLeads(options: RemoveSteeringOptions, signal: AbortSignal): Promise<void> {
  const { client, clock, namespace, lease: name } = options;
  const giveUpAt = clock.now() + patienceMs;
  for (;;) {
    const lease = await ifFound(client.get(leases, { namespace, name }, signal));
    const holder = lease && holderOf(lease, clock.now());
    if (holder === undefined) return;
    if (clock.now() >= giveUpAt)
      throw new Error(`${holder} still runs trimtab steer and would register again: end it, and repeat this`);
    await clock.sleep(lookAgainMs, signal);
  }
}

/** Who holds a Lease, unless it has been released or has run out. */
function holderOf({ spec }: Lease, now: number): string | undefined {
  const { holderIdentity = "", renewTime, leaseDurationSeconds = 0 } = spec ?? {};
  const renewed = parseTime(renewTime) ?? 0;
  return holderIdentity !== "" && renewed + leaseDurationSeconds * 1000 > now ? holderIdentity : undefined;
}

async function undoMarks(client: Client, signal: AbortSignal): Promise<number> {
  let undone = 0;
  for await (const page of pagesOf(client, pods, signal)) {
    const marked = page.filter(hasMarkAnnotations);
    for (let from = 0; from < marked.length; from += atATime) {
      const results = marked.slice(from, from + atATime).map((pod) => unmarkPod(client, pod, signal));
      undone += (await Promise.all(results)).filter(({ kind }) => kind === "removed").length;
    }
  }
  return undone;
}

/** Removes what rollouts leave on ReplicaSets. */
async function removeRolloutState(client: Client, signal: AbortSignal): Promise<void> {
  const body = {
    metadata: {
      annotations: { [cappedAnnotation]: null },
      labels: { [roomLabel]: null, [admittedLabel]: null, [deferredLabel]: null, ...shrinkLabels(undefined) },
    },
  };
  for await (const page of pagesOf(client, replicaSets, signal))
    for (const replicaSet of page)
      if (hasRolloutState(replicaSet.metadata))
        await ifFound(
          client.patch(replicaSets, replicaSet.metadata, {
            type: "merge",
            body: { ...body, ...deferredSize(replicaSet) },
            signal,
          }),
        );
}

/** The size that nobody asks for again: a Deployment is woken by the label that goes, and asks by itself. */
function deferredSize(replicaSet: ReplicaSet) {
  const deferred = readDeferred(deferredText(replicaSet));
  if (deferred === undefined || deploymentNameOf(replicaSet) !== undefined) return {};
  return deferred.size < sizeOf(replicaSet) ? { spec: { replicas: deferred.size } } : {};
}

function hasRolloutState({ annotations, labels }: ReplicaSet["metadata"]): boolean {
  const held = Object.keys(shrinkLabels(undefined));
  const own = [roomLabel, admittedLabel, deferredLabel, ...held].map((name) => labels?.[name]);
  return [annotations?.[cappedAnnotation], ...own].some((value) => value !== undefined);
}

async function* pagesOf<T extends StoredObject>(
  client: Client,
  resource: Resource<T>,
  signal: AbortSignal,
): AsyncIterable<readonly T[]> {
  let next: string | undefined;
  do {
    const page = await client
      .list(resource, { limit: pageSize, continue: next }, signal)
      .catch((error: unknown) => wholeListIf(error, { client, resource, signal }));
    yield page.items;
    next = page.continue;
  } while (next !== undefined && next !== "");
}

interface Listing<T extends StoredObject> {
  readonly client: Client;
  readonly resource: Resource<T>;
  readonly signal: AbortSignal;
}

/** All at once, when a list has expired between two pages: what was done to the first pages is not needed again. */
function wholeListIf<T extends StoredObject>(
  error: unknown,
  { client, resource, signal }: Listing<T>,
): Promise<ListResult<T>> {
  if (!isGone(error)) throw error;
  return client.list(resource, {}, signal);
}

/** Whether there was something to remove. */
async function remove(client: Client, resource: Resource, options: RemoveOptions): Promise<boolean> {
  const { signal, ...name } = options;
  const removed = client.delete(resource, name, { signal }).then(() => true);
  return (await ifFound(removed)) ?? false;
}
