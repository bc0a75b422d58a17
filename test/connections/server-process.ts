// An API server in memory, as a process of its own, which any Node can run. It prints how to reach it.
import { defaultFeatureGates } from "../../src/api/feature-gates.ts";
import { configMaps, namespaces } from "../../src/api/resources.ts";
import { createApiServer } from "../../src/cluster/apiserver/create-api-server.ts";
import { MemoryStore } from "../../src/cluster/store/memory-store.ts";
import { WallClock } from "../../src/machinery/clock/wall-clock.ts";
import { silentLogger } from "../../src/machinery/log/logger.ts";
import { systemRandom } from "../../src/machinery/random/system-random.ts";

const clock = new WallClock();
const store = new MemoryStore({ clock });
const gates = () => defaultFeatureGates;
const server = createApiServer({ clock, random: systemRandom(), store, gates, log: silentLogger });
await server.client.create(namespaces, { metadata: { name: "default" }, spec: {} });
// A list of these is longer than the buffers of a connection.
await server.client.create(namespaces, { metadata: { name: "large" }, spec: {} });
const data = { text: "x".repeat(500_000) };
for (let index = 0; index < 16; index++)
  await server.client.create(configMaps, { metadata: { name: `large-${index}`, namespace: "large" }, data });
const { port, ca, token } = await server.listen({ port: 0 });
process.stdout.write(`${JSON.stringify({ port, ca, token, node: process.version })}\n`);
