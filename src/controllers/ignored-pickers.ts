import type { FeatureGates } from "../api/feature-gates.ts";
import type { StoredObject } from "../api/object.ts";
import { controllerOf } from "../api/owner-references.ts";
import type { Resource } from "../api/resource.ts";
import { ignoredPickerEvent } from "../decisions/explain/ignored-picker.ts";
import { type EventRecorder, referenceTo, OncePerGeneration } from "../machinery/events/event-draft.ts";

export interface IgnoredPickersOptions<T extends StoredObject> {
  readonly resource: Resource<T>;
  /** The picker of a workload; `undefined` without one. */
  readonly pickerOf: (workload: T) => unknown;
  readonly gates: () => FeatureGates;
  readonly events: EventRecorder;
}

/** Says about workloads of one kind that their picker is never asked. */
export interface IgnoredPickers<T> {
  /** Records an event if the workload has a picker and the gate is off, once per generation. */
  check(workload: T): void;
  /** Forgets a workload that is gone. */
  forget(key: string): void;
}

/** Starts with nothing said. The ReplicaSets of a Deployment have its picker: there the Deployment is told. */
export function ignoredPickers<T extends StoredObject>(options: IgnoredPickersOptions<T>): IgnoredPickers<T> {
  const { resource, pickerOf, gates, events } = options;
  const said = new OncePerGeneration();
  return {
    check(workload) {
      if (gates().DownscalePodPicker || pickerOf(workload) === undefined) return;
      if (controllerOf(workload)?.kind === "Deployment" || !said.isFirst(workload)) return;
      events.record({ regarding: referenceTo(resource, workload), ...ignoredPickerEvent });
    },
    forget: (key) => said.forget(key),
  };
}
