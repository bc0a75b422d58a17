import { defaultFeatureGates } from "../../../src/api/feature-gates.ts";
import type { Deployment, ReplicaSet } from "../../../src/api/generated/apps-v1.ts";
import { isControlledBy } from "../../../src/api/owner-references.ts";
import { budgetOf } from "../../../src/decisions/rollout/budget.ts";
import { planRollout } from "../../../src/decisions/rollout/plan-rollout.ts";

/** What the Deployment controller has read when it begins to look at a Deployment. */
export interface Reading {
  readonly deployment: Deployment;
  readonly replicaSets: readonly ReplicaSet[];
  readonly now: number;
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, each) => total + each, 0);
const sizeOf = ({ spec }: ReplicaSet) => spec.replicas ?? 1;

/** Holds one look of the controller to what it may do by what it had read; says what is wrong with a write. */
export class LookJudge {
  readonly #reading: Reading;
  readonly #sizes: Map<string, number>;
  readonly #isRolling: boolean;

  constructor({ deployment, replicaSets, now }: Reading) {
    const owned = replicaSets.filter((each) => isControlledBy(each, deployment.metadata.uid));
    this.#reading = { deployment, replicaSets: owned, now };
    this.#sizes = new Map(owned.map((each) => [each.metadata.name, sizeOf(each)]));
    const plan = planRollout({ deployment, replicaSets: owned, gates: defaultFeatureGates, now });
    this.#isRolling = plan.kind === "rolling-update";
  }

  /** A ReplicaSet is created, or given another size. */
  written(name: string, size: number): readonly string[] {
    this.#sizes.set(name, size);
    return [this.#beyondCap(), this.#beyondAvailability()].filter((wrong) => wrong !== undefined);
  }

  /** Under `TerminationComplete` nothing is added while the Pods that were read reach the cap. */
  #beyondCap(): string | undefined {
    const { deployment, replicaSets } = this.#reading;
    const { policy, strategy, maxReplicas, replicas } = budgetOf(deployment, defaultFeatureGates);
    if (policy !== "TerminationComplete") return undefined;
    const pods = sum(replicaSets.map((each) => Math.max(sizeOf(each), each.status?.replicas ?? 0)));
    const terminating = sum(replicaSets.map(({ status }) => status?.terminatingReplicas ?? 0));
    const cap = strategy === "Recreate" ? replicas : maxReplicas;
    const before = sum(replicaSets.map(sizeOf));
    const after = sum([...this.#sizes.values()]);
    return after > before && pods + terminating >= cap
      ? `sizes go from ${before} to ${after} while ${pods} Pods and ${terminating} terminating reach ${cap}`
      : undefined;
  }

  /** A rolling pass takes no more available Pods than can be spared by the counts that were read. */
  #beyondAvailability(): string | undefined {
    if (!this.#isRolling) return undefined;
    const { deployment, replicaSets } = this.#reading;
    const { minAvailable } = budgetOf(deployment, defaultFeatureGates);
    const availableOf = ({ status }: ReplicaSet) => status?.availableReplicas ?? 0;
    const available = sum(replicaSets.map(availableOf));
    const taken = sum(
      replicaSets.map((each) => {
        const kept = this.#sizes.get(each.metadata.name) ?? 0;
        return kept < sizeOf(each) ? Math.max(availableOf(each) - kept, 0) : 0;
      }),
    );
    return taken > Math.max(available - minAvailable, 0)
      ? `${taken} available Pods are taken of ${available}, and ${minAvailable} must stay`
      : undefined;
  }
}
