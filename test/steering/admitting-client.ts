import type { ReplicaSet } from "../../src/api/generated/apps-v1.ts";
import type { JsonObject } from "../../src/api/json.ts";
import { replicaSets } from "../../src/api/resources.ts";
import type { Client, ObjectName } from "../../src/machinery/client/client.ts";
import type { ClientCall, Interceptor } from "../../src/machinery/client/intercept-client.ts";
import { apiFailure } from "../../src/machinery/client/api-error.ts";
import type { AdmissionHandler } from "../../src/steering/admission/admit-replica-set.ts";
import type { AdmissionAnswer, AdmissionRequest } from "../../src/steering/admission/review.ts";

/** What stands for the webhooks of the API server: `undefined` while the webhook does not answer. */
export type Webhook = () => AdmissionHandler | undefined;

const timeoutMs = 10_000;

/** Asks the webhook about every ReplicaSet that is created or changed, as an API server does before it stores it. */
export function admitting(webhook: Webhook, inner: () => Client): Interceptor {
  return {
    async call(call, send) {
      const handler = webhook();
      if (call.collection !== "replicasets.apps" || handler === undefined) return send();
      const answer = answers[call.verb];
      if (answer === undefined || call.subresource !== undefined) return send();
      return (await answer(call, handler, inner())) as never;
    },
  };
}

type Answer = (call: ClientCall, handler: AdmissionHandler, client: Client) => Promise<ReplicaSet>;

const answers: Readonly<Partial<Record<ClientCall["verb"], Answer>>> = { create, update, patch };

async function create(call: ClientCall, handler: AdmissionHandler, client: Client): Promise<ReplicaSet> {
  const object = call.body as ReplicaSet;
  const answer = await handler(requestOf("CREATE", object, undefined), timeoutMs);
  return client.create(replicaSets, withSize(object, answer));
}

async function update(call: ClientCall, handler: AdmissionHandler, client: Client): Promise<ReplicaSet> {
  const object = call.body as ReplicaSet;
  const stored = await client.get(replicaSets, nameOf(call));
  // The API server refuses an outdated object before it calls a webhook.
  if (stored.metadata.resourceVersion !== object.metadata.resourceVersion)
    throw apiFailure(409, "Conflict", "the object has been modified");
  const answer = await handler(requestOf("UPDATE", object, stored), timeoutMs);
  return client.update(replicaSets, withSize(object, answer));
}

const attempts = 5;

async function patch(call: ClientCall, handler: AdmissionHandler, client: Client): Promise<ReplicaSet> {
  for (let attempt = 1; ; attempt++) {
    const stored = await client.get(replicaSets, nameOf(call));
    const body = call.body as Parameters<Client["patch"]>[2];
    const object = await client.patch(replicaSets, nameOf(call), { ...body, dryRun: true });
    const answer = await handler(
      { ...requestOf("UPDATE", object, stored), isDryRun: body.dryRun === true },
      timeoutMs,
    );
    try {
      const next = { ...withSize(object, answer) };
      const metadata = { ...next.metadata, resourceVersion: stored.metadata.resourceVersion };
      return await client.update(replicaSets, { ...next, metadata }, { dryRun: body.dryRun });
    } catch (error) {
      if (attempt === attempts) throw error;
    }
  }
}

function nameOf({ namespace, name = "" }: ClientCall): ObjectName {
  return { namespace, name };
}

/** The request that an API server would send. */
export function requestOf(
  operation: "CREATE" | "UPDATE",
  object: ReplicaSet,
  oldObject: ReplicaSet | undefined,
): AdmissionRequest {
  return {
    uid: "review",
    resource: "replicasets",
    operation,
    namespace: object.metadata.namespace ?? "",
    name: object.metadata.name ?? "",
    object: object as unknown as JsonObject,
    oldObject: oldObject as unknown as JsonObject | undefined,
    isDryRun: false,
  };
}

function withSize(object: ReplicaSet, answer: AdmissionAnswer): ReplicaSet {
  if (!answer.allowed) throw new Error("a request that changes a size is never refused");
  const [operation] = answer.patch ?? [];
  if (operation === undefined) return object;
  return { ...object, spec: { ...object.spec, replicas: Number(operation["value"]) } };
}
