import type { ReplicaSet } from "../../api/generated/apps-v1.ts";
import { keyOf } from "../../api/object.ts";
import type { UnaskedPicker } from "../../decisions/downscale/picker-progress.ts";
import type { AskedPicker } from "../../decisions/downscale/picker-state.ts";
import { pickerWorkloadOf } from "../picker-workload.ts";

/** The call for one scale-down, until its outcome is used. */
export interface PickerCall extends AskedPicker {
  /** Of the ReplicaSet. */
  readonly key: string;
  readonly uid: string;
  /** The UID of its workload. */
  readonly workload: string;
  readonly abort: AbortController;
}

/** How long an outcome may wait for the next reconcile. */
export const answerTtlMs = 30_000;

export function newPickerCall(
  owner: ReplicaSet,
  { question, deadlineAt }: Pick<UnaskedPicker, "question" | "deadlineAt">,
): PickerCall {
  return {
    key: keyOf(owner),
    uid: owner.metadata.uid,
    workload: pickerWorkloadOf(owner).uid,
    question,
    deadlineAt,
    state: { kind: "in flight" },
    abort: new AbortController(),
  };
}
