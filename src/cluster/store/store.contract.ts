import { afterEach, beforeEach, describe } from "vitest";
import { VirtualClock } from "../../machinery/clock/virtual-clock.ts";
import { commitContract } from "./commits.contract.ts";
import type { HistoryLimits } from "./history.ts";
import { historyContract } from "./history.contract.ts";
import { indexContract } from "./indexes.contract.ts";
import { color, type StoreFixture } from "./store-fixture.contract.ts";
import type { Store } from "./store.ts";
import { subscriptionContract } from "./subscriptions.contract.ts";
import { viewContract } from "./views.contract.ts";

export interface StoreOptions {
  readonly clock: VirtualClock;
  readonly history: HistoryLimits;
  readonly maxHistoryBytes: number;
}

/** The contract of every Store. */
export function storeContract(name: string, create: (options: StoreOptions) => Store | Promise<Store>): void {
  describe(name, () => {
    let fixture: StoreFixture;

    beforeEach(async () => {
      const clock = new VirtualClock();
      const store = await create({
        clock,
        history: { minEvents: 4, minAgeMs: 60_000, maxEvents: 8 },
        maxHistoryBytes: 100_000,
      });
      store.addIndexes({ things: { color } });
      fixture = { clock, store, things: store.collection("things") };
    });

    afterEach(() => fixture.store.close());

    for (const contract of [
      commitContract,
      subscriptionContract,
      historyContract,
      viewContract,
      indexContract,
    ])
      contract(() => fixture);
  });
}
