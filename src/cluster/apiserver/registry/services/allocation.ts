import type { ServiceSpec } from "../../../../api/generated/core-v1.ts";
import type { Random } from "../../../../machinery/random/random.ts";

/** What the allocation of addresses and ports goes by. */
export interface Allocation {
  readonly random: Random;
  /** The stored version: what a Service has, it keeps. */
  readonly before: ServiceSpec | undefined;
  readonly isAddressFree: (address: string) => boolean;
  readonly isPortFree: (port: number) => boolean;
}
