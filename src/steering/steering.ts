import type { ComponentEnvironment } from "../machinery/component/component.ts";
import type { ControllerSpec } from "../machinery/controller.ts";
import { podAdmission } from "./admission/admit-pod.ts";
import { type AdmissionHandler, replicaSetAdmission } from "./admission/admit-replica-set.ts";
import { PickerConsultant } from "./admission/consult-picker.ts";
import { validatingAdmission } from "./admission/validate-wishes.ts";
import { argoRolloutsController } from "./argo-rollouts.ts";
import { checkRemovalsController } from "./check-removals.ts";
import { deferralsController } from "./deferrals.ts";
import { heldRemovalsController } from "./held-removals.ts";
import { ignoredPickersControllers } from "./ignored-pickers.ts";
import type { SteeringMetrics } from "./metrics.ts";
import { missedShrinks } from "./missed-shrinks.ts";
import { rolloutsController } from "./rollouts.ts";
import { undoMarksController } from "./undo-marks.ts";
import { wishesController } from "./wishes.ts";
import { steeringDependencies, type SteeringOptions } from "./dependencies.ts";
import { unsupportedOwnersControllers } from "./unsupported-owners.ts";
import { paths } from "./webhook-paths.ts";

/** One copy of `trimtab steer`: what it answers, and the controllers that run beside that. */
export interface Steering {
  /** By the path of the webhook. */
  readonly handlers: Readonly<Record<string, AdmissionHandler>>;
  /** Run in every copy. */
  readonly controllers: readonly ControllerSpec[];
  /** Run in the copy that holds the Lease. */
  readonly leading: readonly ControllerSpec[];
  readonly metrics: SteeringMetrics;
}

/** Makes one copy; requests its informers, which have to have synced before it answers. */
export function createSteering(environment: ComponentEnvironment, options: SteeringOptions): Steering {
  const deps = steeringDependencies(environment, options);
  const missed = missedShrinks(deps);
  const consultant = deps.pickers && new PickerConsultant(deps.pickers);
  return {
    handlers: {
      [paths.sizes]: replicaSetAdmission(deps, consultant),
      [paths.pods]: podAdmission(deps),
      [paths.wishes]: validatingAdmission({
        arePickersOff: deps.pickers === undefined,
        isProtecting: () => deps.gates().PodRemovalProtection,
      }),
    },
    controllers: [checkRemovalsController(deps), missed.noticing],
    leading: [
      deferralsController(deps, consultant),
      undoMarksController(deps),
      missed.telling,
      rolloutsController(deps),
      argoRolloutsController(deps),
      heldRemovalsController(deps),
      wishesController(deps),
      ...ignoredPickersControllers(deps),
      // An older role may not allow to list them.
      ...unsupportedOwnersControllers(deps, {
        setsOf: (resource) => environment.informers.optional(resource),
      }),
    ],
    metrics: deps.metrics,
  };
}
