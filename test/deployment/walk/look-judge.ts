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
  /** How many Pods of a ReplicaSet are available in fact; absent: facts are not held against the controller. */
  readonly availableInFact?: ((replicaSet: ReplicaSet) => number) | undefined;
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, each) => total + each, 0);
const sizeOf = ({ spec }: ReplicaSet) => spec.replicas ?? 1;
const reportedAvailable = ({ status }: ReplicaSet) => status?.availableReplicas ?? 0;

/** Holds one look of the controller to what it may do by what it had read; says what is wrong with a write. */
export class LookJudge {
  readonly #reading: Reading;
  readonly #sizes: Map<string, number>;
  readonly #isRolling: boolean;

  constructor(reading: Reading) {
    const { deployment, now } = reading;
    const owned = reading.replicaSets.filter((each) => isControlledBy(each, deployment.metadata.uid));
    this.#reading = { ...reading, replicaSets: owned };
    this.#sizes = new Map(owned.map((each) => [each.metadata.name, sizeOf(each)]));
    const plan = planRollout({ deployment, replicaSets: owned, gates: defaultFeatureGates, now });
    this.#isRolling = plan.kind === "rolling-update";
  }

  /** A ReplicaSet is created, or given another size. */
  written(name: string, size: number): readonly string[] {
    this.#sizes.set(name, size);
    const { availableInFact } = this.#reading;
    return [
      this.#beyondCap(),
      this.#beyondAvailability("by report", reportedAvailable),
      availableInFact && this.#beyondAvailability("in fact", availableInFact),
    ].filter((wrong) => wrong !== undefined);
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

  /** A rolling pass takes no more available Pods than can be spared; those beyond a size are taken already. */
  #beyondAvailability(how: string, availableOf: (replicaSet: ReplicaSet) => number): string | undefined {
    if (!this.#isRolling) return undefined;
    const { deployment, replicaSets } = this.#reading;
    const { minAvailable } = budgetOf(deployment, defaultFeatureGates);
    const before = replicaSets.map((each) => Math.min(availableOf(each), sizeOf(each)));
    const after = replicaSets.map((each) =>
      Math.min(availableOf(each), sizeOf(each), this.#sizes.get(each.metadata.name) ?? 0),
    );
    const [available, taken] = [sum(before), sum(before) - sum(after)];
    return taken > Math.max(available - minAvailable, 0)
      ? `${taken} available Pods are taken of ${available} ${how}, and ${minAvailable} must stay`
      : undefined;
  }
}
