import type { DownscalePodPicker } from "../../generated/apps-v1.ts";
import { withMember } from "../defaulting.ts";
import type { StrategyContext } from "../kind-strategy.ts";
import type { Sent } from "../sent.ts";

interface WithPicker {
  readonly downscalePodPicker?: Sent<DownscalePodPicker>;
}

/** A workload's spec without its picker while the gate is off, unless the stored one has a picker already. */
export function gatePicker<T extends WithPicker>(
  spec: T,
  stored: WithPicker | undefined,
  { gates }: StrategyContext,
): T {
  if (gates.DownscalePodPicker || stored?.downscalePodPicker !== undefined) return spec;
  return spec.downscalePodPicker === undefined ? spec : withMember(spec, "downscalePodPicker", undefined);
}
