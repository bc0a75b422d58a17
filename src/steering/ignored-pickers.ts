import type { Deployment, ReplicaSet } from "../api/generated/apps-v1.ts";
import type { Resource } from "../api/resource.ts";
import { deployments as deploymentResource, replicaSets as replicaSetResource } from "../api/resources.ts";
import { ignoredPickerEvent } from "../decisions/explain/ignored-picker.ts";
import { wishesOf } from "../decisions/stock/wish.ts";
import { type ControllerSpec, done, watching } from "../machinery/controller.ts";
import { referenceTo, OncePerGeneration } from "../machinery/events/event-draft.ts";
import type { Informer } from "../machinery/informer/informer.ts";
import { enqueueObject } from "../machinery/ownership/enqueue-owner.ts";
import { deploymentNameOf } from "./admission/find-workload.ts";
import type { SteeringDependencies } from "./dependencies.ts";

/** Record an event on every workload with a picker, once per generation, where pickers are switched off; elsewhere there are none. */
export function ignoredPickersControllers(deps: SteeringDependencies): readonly ControllerSpec[] {
  if (deps.pickers !== undefined) return [];
  return [
    ignoredPickersController(deps, deps.deployments, deploymentResource),
    ignoredPickersController(deps, deps.replicaSets, replicaSetResource),
  ];
}

function ignoredPickersController<T extends Deployment | ReplicaSet>(
  { events }: SteeringDependencies,
  workloads: Informer<T>,
  resource: Resource<T>,
): ControllerSpec {
  const said = new OncePerGeneration();
  return {
    name: `steering-ignored-pickers-${resource.plural}`,
    workers: 1,
    watches: [watching<T>(workloads, enqueueObject)],
    reconcile(key) {
      const workload = workloads.get(key);
      if (workload === undefined) said.forget(key);
      else if (hasOwnPicker(workload) && said.isFirst(workload))
        events.record({ regarding: referenceTo(resource, workload), ...ignoredPickerEvent });
      return Promise.resolve(done);
    },
  };
}

/** Reports whether a workload asks for a picker itself; the ReplicaSets of a Deployment have copies of its annotations. */
function hasOwnPicker(workload: Deployment | ReplicaSet): boolean {
  const isCopy = deploymentNameOf(workload) !== undefined;
  return !isCopy && wishesOf(workload, undefined).picker !== undefined;
}
