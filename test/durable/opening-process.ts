// A process that opens data directories one after the other, and stores an object in each it may use. It prints a line
// for each, so that a directory that ends the process is known.
import { createHash } from "node:crypto";
import { writeSync } from "node:fs";
import { messageOf } from "../../src/api/message-of.ts";
import { openDataDirectory } from "../../src/cluster/data-directory/open-data-directory.ts";
import { WallClock } from "../../src/machinery/clock/wall-clock.ts";
import { systemRandom } from "../../src/machinery/random/system-random.ts";

const clock = new WallClock();
for (const folder of process.argv.slice(2)) {
  try {
    const { store } = await openDataDirectory(folder, { clock, random: systemRandom() });
    const things = store.collection("things");
    const digest = createHash("sha256");
    for (const record of things.records()) digest.update(record.bytes());
    for (const name of ["a", "b", "c"])
      await things.put(name, { apiVersion: "v1", kind: "Thing", metadata: { name } }).durable;
    await store.close();
    writeSync(1, `opened ${digest.digest("hex")}\n`);
  } catch (error) {
    writeSync(1, `refused ${messageOf(error)}\n`);
  }
}
