import type { CustomResourceDefinition } from "../../../api/generated/apiextensions-v1.ts";
import { customResourceDefinitions } from "../../../api/resources.ts";
import { parseTime } from "../../../api/time.ts";
import { isNotFound } from "../../../machinery/client/api-error.ts";
import type { Client } from "../../../machinery/client/client.ts";
import { yieldIfDue } from "../../../machinery/clock/run-in-steps.ts";
import {
  type ControllerSpec,
  done,
  type KeyQueue,
  type ReconcileResult,
} from "../../../machinery/controller.ts";
import type { Collection } from "../../store/store.ts";
import { deleteObject } from "../handlers/delete.ts";
import type { ServerContext } from "../server-context.ts";
import { withoutCleanup, isBeingCleanedUp } from "./definition-cleanup.ts";
import { type ConditionValue, isEstablished, withCondition } from "./definition-conditions.ts";
import { planDefinitionStatus } from "./plan-definition-status.ts";

export const definitionsCollection = "customresourcedefinitions.apiextensions.k8s.io";

const fieldManager = "kube-apiserver";
const pollMs = 5_000;
const checkMs = 60_000;

/**
 * Returns the controller of CustomResourceDefinitions: it accepts their names, establishes them, and empties those that
 * are deleted.
 */
export function definitionController(context: ServerContext, client: Client): ControllerSpec {
  const { store, clock } = context;
  const definitions = store.collection(definitionsCollection);
  const emptying = new Map<string, () => void>();
  let queue: KeyQueue | undefined;

  /** Reconciles again when an object of the kind is removed. */
  function follow(key: string): void {
    if (emptying.has(key)) return;
    const stop = store.collection(key).subscribe({ of: "all" }, () => queue?.add(key));
    emptying.set(key, stop);
  }

  async function writeStatus(
    definition: CustomResourceDefinition,
    status: CustomResourceDefinition["status"],
  ): Promise<CustomResourceDefinition> {
    const next = { ...definition, ...(status !== undefined && { status }) };
    return client.update(customResourceDefinitions, next, { subresource: "status", fieldManager });
  }

  async function setTerminating(
    definition: CustomResourceDefinition,
    value: Omit<ConditionValue, "type">,
  ): Promise<CustomResourceDefinition> {
    const before = definition.status?.conditions ?? [];
    const isSet = before.some((each) => each.type === "Terminating" && each.reason === value.reason);
    if (isSet) return definition;
    const conditions = withCondition(before, { type: "Terminating", ...value }, clock.now());
    return writeStatus(definition, { ...definition.status, conditions });
  }

  async function cleanUp(key: string, definition: CustomResourceDefinition): Promise<ReconcileResult> {
    if (!isEstablished(definition)) {
      await release(await setTerminating(definition, neverEstablished));
      return done;
    }
    follow(key);
    const emptied = await setTerminating(definition, inProgress);
    await deleteInstances(context, key);
    const instances = store.collection(key);
    if (instances.count() > 0) {
      const since = parseTime(definition.metadata.deletionTimestamp) ?? clock.now();
      if (clock.now() - since >= checkMs) await setTerminating(emptied, notConfirmed);
      return { requeueAfterMs: pollMs };
    }
    emptying.get(key)?.();
    emptying.delete(key);
    await release(await setTerminating(emptied, completed));
    return done;
  }

  async function release(definition: CustomResourceDefinition): Promise<void> {
    await client.update(customResourceDefinitions, withoutCleanup(definition), { fieldManager });
  }

  return {
    name: "customresourcedefinitions",
    workers: 1,
    watches: [
      {
        synced: async () => true,
        start(keys) {
          queue = keys;
          for (const { key } of definitions.records()) keys.add(key);
          const stop = definitions.subscribe({ of: "all" }, (events) => {
            for (const { record } of events) {
              keys.add(record.key);
              // A name that is free now may be what another definition waits for.
              for (const other of othersOf(definitions, definitionIn(record.object)))
                keys.add(other.metadata.name);
            }
          });
          return () => {
            stop();
            for (const unfollow of emptying.values()) unfollow();
          };
        },
      },
    ],
    async reconcile(key) {
      const record = definitions.get(key);
      if (record === undefined) return done;
      const definition = definitionIn(record.object);
      if (isBeingCleanedUp(definition)) return cleanUp(key, definition);
      const others = othersOf(definitions, definition);
      const status = planDefinitionStatus({ definition, others, now: clock.now() });
      if (status !== undefined) await writeStatus(definition, status);
      return done;
    },
    ignores: isNotFound,
  };
}

const inProgress = {
  status: "True",
  reason: "InstanceDeletionInProgress",
  message: "CustomResource deletion is in progress",
} as const;
const completed = {
  status: "False",
  reason: "InstanceDeletionCompleted",
  message: "removed all instances",
} as const;
const neverEstablished = {
  status: "False",
  reason: "NeverEstablished",
  message: "resource was never established",
} as const;
const notConfirmed = {
  status: "True",
  reason: "InstanceDeletionCheck",
  message: "could not confirm zero CustomResources remaining: context deadline exceeded",
} as const;

/** The store holds only definitions in their collection. */
export function definitionIn(object: object): CustomResourceDefinition {
  return object as CustomResourceDefinition;
}

/** Returns the other definitions of a group. */
function othersOf(definitions: Collection, { metadata, spec }: CustomResourceDefinition) {
  const others: CustomResourceDefinition[] = [];
  for (const { key, object } of definitions.records()) {
    const other = definitionIn(object);
    if (key !== metadata.name && other.spec.group === spec.group) others.push(other);
  }
  return others;
}

/** Deletes every object of a kind, without admission; those with finalizers stay until these are removed. */
async function deleteInstances(context: ServerContext, collection: string): Promise<void> {
  const [resource] = context.kinds.sharing(collection);
  if (resource === undefined) return;
  for (const record of context.store.collection(collection).snapshot().records()) {
    if (record.object.metadata.deletionTimestamp !== undefined) continue;
    await deleteObject(context, { resource, record, deletion: { dryRun: false } });
    await yieldIfDue(context.clock);
  }
}
