import type { PersistentVolume, PersistentVolumeClaim } from "../../../api/generated/core-v1.ts";
import { persistentVolumeClaims } from "../../../api/resources.ts";
import { planExpansion } from "../../../decisions/volumes/plan-expansion.ts";
import { type EventRecorder, referenceTo } from "../../../machinery/events/event-draft.ts";
import type { Informer } from "../../../machinery/informer/informer.ts";
import { writeClaimStatus } from "./apply-claim-plan.ts";
import { type VolumeWriting, writeVolume } from "./write-volume.ts";

/** The recorders of the components that let volumes grow. */
export interface ExpansionEvents {
  readonly expander: EventRecorder;
  readonly resizer: EventRecorder;
}

export interface Expansion {
  readonly volumes: Informer<PersistentVolume>;
  readonly events: ExpansionEvents;
  readonly writing: VolumeWriting;
}

/** Lets the volume of a claim grow to what the claim asks for. */
export async function expandVolume(
  claim: PersistentVolumeClaim,
  { volumes, events, writing }: Expansion,
): Promise<void> {
  const plan = planExpansion(claim, volumes.get(claim.spec.volumeName ?? ""));
  if (plan.kind === "fits") return;
  const regarding = referenceTo(persistentVolumeClaims, claim);
  const say = (recorder: EventRecorder, reason: string, message: string) =>
    recorder.record({ regarding, type: "Normal", reason, message });
  say(events.expander, "ExternalExpanding", "waiting for an external controller to expand this PVC");
  if (plan.kind === "external") return;
  const { volume, storage } = plan;
  say(events.resizer, "Resizing", `External resizer is resizing volume ${volume.metadata.name}`);
  await writeVolume(
    { ...volume, spec: { ...volume.spec, capacity: { ...volume.spec.capacity, storage } } },
    writing,
  );
  const status = { ...claim.status, capacity: { ...claim.status?.capacity, storage } };
  await writeClaimStatus({ ...claim, status }, writing);
  say(events.resizer, "VolumeResizeSuccessful", "Resize volume succeeded");
}
