// A process that stores objects and writes the name of each to its standard output when it is acknowledged. The
// commits overlap, so that some share a flush.
import { writeSync } from "node:fs";
import { openDataDirectory } from "../../src/cluster/data-directory/open-data-directory.ts";
import { WallClock } from "../../src/machinery/clock/wall-clock.ts";
import { systemRandom } from "../../src/machinery/random/system-random.ts";

const [folder = "", count = "0"] = process.argv.slice(2);
const clock = new WallClock();
const { store } = await openDataDirectory(folder, { clock, random: systemRandom() });
const things = store.collection("things");

async function put(name: string): Promise<void> {
  await things.put(name, { apiVersion: "v1", kind: "Thing", metadata: { name } }).durable;
  writeSync(1, `acknowledged ${name};`);
}

for (let index = 0; index < Number(count); index += 3)
  await Promise.all([index, index + 1, index + 2].map((each) => put(`thing-${each}-end`)));
await store.close();
