import type { DownscalePodPicker } from "../../generated/apps-v1.ts";
import { withMember } from "../filling.ts";
import type { Occasion } from "../manners.ts";
import type { Sent } from "../sent.ts";

interface WithPicker {
  readonly downscalePodPicker?: Sent<DownscalePodPicker>;
}

/** A workload's spec without its picker while the gate is off, unless the stored one has a picker already. */
export function gatePicker<T extends WithPicker>(
  spec: T,
  stored: WithPicker | undefined,
  { gates }: Occasion,
): T {
  if (gates.DownscalePodPicker || stored?.downscalePodPicker !== undefined) return spec;
  return spec.downscalePodPicker === undefined ? spec : withMember(spec, "downscalePodPicker", undefined);
}
