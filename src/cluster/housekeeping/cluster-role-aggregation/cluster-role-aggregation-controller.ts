import { deepEqual } from "../../../api/deep-equal.ts";
import type { ClusterRole, PolicyRule } from "../../../api/generated/rbac-v1.ts";
import { isBeingDeleted } from "../../../api/object.ts";
import { qualifiedName } from "../../../api/resource.ts";
import { clusterRoles } from "../../../api/resources.ts";
import { isConflict, isNotFound } from "../../../machinery/client/api-error.ts";
import type { Client } from "../../../machinery/client/client.ts";
import { type ControllerSpec, done, type WatchSource } from "../../../machinery/controller.ts";
import { aggregatedRules } from "../../apiserver/auth/authorizer.ts";
import { distinctRules } from "../../apiserver/auth/policy-rules.ts";
import type { Store } from "../../store/store.ts";

export interface ClusterRoleAggregationDependencies {
  readonly client: Client;
  readonly store: Store;
}

const collectionName = qualifiedName(clusterRoles);
// A collection holds only objects of its resource.
const asRole = (object: object) => object as ClusterRole;

/** Copies the rules of the ClusterRoles that an aggregated ClusterRole selects into it, where users can read them. */
export function clusterRoleAggregationController({
  client,
  store,
}: ClusterRoleAggregationDependencies): ControllerSpec {
  return {
    name: "clusterrole-aggregation",
    workers: 1,
    watches: [watchClusterRoles(store)],
    ignores: isNotFound,

    async reconcile(key, signal) {
      const stored = store.collection(collectionName).get(key);
      if (stored === undefined) return done;
      const role = asRole(stored.object);
      if (role.aggregationRule === undefined || isBeingDeleted(role)) return done;
      const rules = distinctRules(aggregatedRules(store, role)) as readonly PolicyRule[];
      if (deepEqual(rules, role.rules ?? [])) return done;
      try {
        await client.update(clusterRoles, { ...role, rules }, { signal });
      } catch (error) {
        if (!isConflict(error)) throw error;
        return { requeueAfterMs: 1 };
      }
      return done;
    },
  };
}

/** Enqueues every aggregated ClusterRole when any ClusterRole changes, since it may select that one. */
function watchClusterRoles(store: Store): WatchSource {
  return {
    synced: () => Promise.resolve(true),
    start(queue) {
      const collection = store.collection(collectionName);
      const enqueueAggregated = () => {
        for (const { key, object } of collection.records())
          if (asRole(object).aggregationRule !== undefined) queue.add(key);
      };
      enqueueAggregated();
      return collection.subscribe({ of: "all" }, enqueueAggregated);
    },
  };
}
