import { invalid } from "../../../../api/field-error.ts";
import type { Lease } from "../../../../api/generated/coordination-v1.ts";
import { none, nonNegative } from "../../../../api/field-checks.ts";
import type { KindStrategy } from "../kind-strategy.ts";
import type { Sent } from "../../../../api/sent.ts";

/** The strategy of Leases. */
export const leaseStrategy: KindStrategy<Sent<Lease>> = {
  validate({ spec = {} }) {
    const { leaseDurationSeconds: seconds } = spec;
    const isOver = seconds !== undefined && seconds <= 0;
    return [
      ...(isOver ? [invalid("spec.leaseDurationSeconds", seconds, "must be greater than 0")] : none),
      ...nonNegative(spec.leaseTransitions, "spec.leaseTransitions"),
    ];
  },
  createOnUpdate: true,
};
