import type { ValidatingAdmissionPolicy } from "../../../api/generated/admissionregistration-v1.ts";
import { type Resource, qualifiedName } from "../../../api/resource.ts";
import { isConflict, isNotFound } from "../../../machinery/client/api-error.ts";
import type { Client } from "../../../machinery/client/client.ts";
import type { Clock } from "../../../machinery/clock/clock.ts";
import { runInSteps } from "../../../machinery/clock/run-in-steps.ts";
import { type ControllerSpec, done } from "../../../machinery/controller.ts";
import { checkPolicyTypes } from "../../apiserver/admission/policies/type-checks/check-policy-types.ts";
import type { ServedResources } from "../../apiserver/kind-registry.ts";
import type { Store } from "../../store/store.ts";

export const validatingAdmissionPolicies: Resource<ValidatingAdmissionPolicy> = {
  group: "admissionregistration.k8s.io",
  version: "v1",
  kind: "ValidatingAdmissionPolicy",
  plural: "validatingadmissionpolicies",
  namespaced: false,
};

export interface PolicyStatusDependencies {
  readonly client: Client;
  readonly clock: Clock;
  readonly store: Store;
  readonly kinds: ServedResources;
}

const fieldManager = "validatingadmissionpolicy-status-controller";

/** Checks the expressions of every version of a policy against the kinds that it is for, and writes what it found into the status. */
export function policyStatusController(dependencies: PolicyStatusDependencies): ControllerSpec {
  const { client, clock, store, kinds } = dependencies;
  const policies = store.collection(qualifiedName(validatingAdmissionPolicies));
  return {
    name: "validatingadmissionpolicy-status",
    workers: 1,
    watches: [
      {
        synced: () => Promise.resolve(true),
        start(queue) {
          for (const { key } of policies.records()) queue.add(key);
          return policies.subscribe({ of: "all" }, (events) => {
            for (const { record } of events) queue.add(record.key);
          });
        },
      },
    ],
    ignores: isNotFound,

    async reconcile(key, signal) {
      const record = policies.get(key);
      if (record === undefined) return done;
      // A collection holds only objects of its resource.
      const policy = record.object as unknown as ValidatingAdmissionPolicy;
      const { generation = 0 } = policy.metadata;
      if (generation <= (policy.status?.observedGeneration ?? 0)) return done;
      const warnings = await runInSteps(checkPolicyTypes(policy.spec, kinds.all), clock);
      const status = {
        ...policy.status,
        observedGeneration: generation,
        typeChecking: warnings.length === 0 ? {} : { expressionWarnings: warnings },
      };
      try {
        await client.update(
          validatingAdmissionPolicies,
          { ...policy, status },
          { subresource: "status", fieldManager, signal },
        );
      } catch (error) {
        if (!isConflict(error)) throw error;
        return { requeueAfterMs: 1 };
      }
      return done;
    },
  };
}
