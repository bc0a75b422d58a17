import { defaultFeatureGates } from "../../../api/feature-gates.ts";
import { describeClient } from "../../../machinery/client/contract/client.contract.ts";
import { HttpsClient } from "../../../machinery/client/http/https-client.ts";
import { VirtualClock } from "../../../machinery/clock/virtual-clock.ts";
import { WallClock } from "../../../machinery/clock/wall-clock.ts";
import { silentLogger } from "../../../machinery/log/logger.ts";
import { seededRandom } from "../../../machinery/random/random.ts";
import { deepFreeze } from "../../../testing/deep-freeze.ts";
import { MemoryStore } from "../../store/memory-store.ts";
import { createApiServer } from "../create-api-server.ts";

describeClient("the HTTPS client of the embedded API server", async () => {
  // Certificates have to be good now, whatever time it is for the objects.
  const wall = new WallClock();
  const clock = new VirtualClock(wall.now());
  const store = new MemoryStore({ clock, transformObject: deepFreeze });
  const server = createApiServer({
    clock,
    random: seededRandom("contract"),
    store,
    gates: () => defaultFeatureGates,
    log: silentLogger,
  });
  const access = await server.listen({ port: 0 });
  const { url, ca, token } = access;
  const client = new HttpsClient({
    connection: {
      server: url,
      credential: { type: "token", token },
      tls: { ca, skipVerify: false },
      namespace: "default",
    },
    clock: wall,
  });
  return {
    client,
    close: async () => {
      await client.close();
      await access.close();
    },
    pass: (durationMs) => clock.advance(durationMs),
    compact: () => store.compact(),
  };
});
