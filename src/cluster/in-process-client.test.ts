import { defaultFeatureGates } from "../api/feature-gates.ts";
import { describeClient } from "../machinery/client/contract/client.contract.ts";
import { VirtualClock } from "../machinery/clock/virtual-clock.ts";
import { silentLogger } from "../machinery/log/logger.ts";
import { seededRandom } from "../machinery/random/random.ts";
import { deepFreeze } from "../testing/deep-freeze.ts";
import { createApiServer } from "./apiserver/create-api-server.ts";
import { MemoryStore } from "./store/memory-store.ts";

describeClient("the in-process client", async () => {
  const clock = new VirtualClock();
  const store = new MemoryStore({ clock, transformObject: deepFreeze });
  const { client } = createApiServer({
    clock,
    random: seededRandom("contract"),
    store,
    gates: () => defaultFeatureGates,
    log: silentLogger,
  });
  return {
    client,
    close: async () => {},
    pass: (durationMs) => clock.advance(durationMs),
    compact: () => store.compact(),
  };
});
