import { configMaps } from "trimtab/controllers";
import { startSimulatedCluster } from "trimtab/simulation";
import { ttlController } from "./ttl-controller.mjs";

const cluster = await startSimulatedCluster({ seed: "ttl", extraComponents: [ttlController] });
for (const minutes of [10, 30]) {
  const annotations = { "example.com/ttl-seconds": String(minutes * 60) };
  const metadata = { namespace: "default", name: `for-${minutes}-minutes`, annotations };
  await cluster.client.create(configMaps, { metadata });
}

for (let minute = 0; minute <= 40; minute += 10) {
  await cluster.untilIdle();
  const { items } = await cluster.client.list(configMaps, { namespace: "default" });
  const names = items.map(({ metadata }) => metadata.name).filter((name) => name.startsWith("for-"));
  console.log(`minute ${minute}: ${names.join(", ") || "none"}`);
  await cluster.advance(10 * 60_000);
}
await cluster.stop();
