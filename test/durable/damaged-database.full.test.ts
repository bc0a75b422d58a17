import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { cpSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { openDataDirectory } from "../../src/cluster/data-directory/open-data-directory.ts";
import { WallClock } from "../../src/machinery/clock/wall-clock.ts";
import { randomInt, seededRandom } from "../../src/machinery/random/random.ts";
import { compiled, temporaryFolder } from "./compiled.ts";

const run = promisify(execFile);
const trials = 300;

test(
  `${trials} databases with overwritten bytes are opened or refused, and none ends the process`,
  { timeout: 600_000 },
  async () => {
    const random = seededRandom("damage");
    const folder = temporaryFolder();
    const template = path.join(folder, "template");
    const { store } = await openDataDirectory(template, { clock: new WallClock(), random });
    const things = store.collection("things");
    for (let index = 0; index < 200; index++) {
      const object = {
        apiVersion: "v1",
        kind: "Thing",
        metadata: { name: "a" },
        data: "x".repeat(1000 + index * 10),
      };
      await things.put(`things-${index % 150}`, object).durable;
    }
    const digest = digestOf([...things.records()].map((record) => Buffer.from(record.bytes())));
    await store.close();
    const intact = readFileSync(path.join(template, "store/data.mdb"));
    const damaged = Array.from({ length: trials }, (_, trial) => {
      const place = path.join(folder, `trial-${trial}`);
      cpSync(template, place, { recursive: true });
      const bytes = Buffer.from(intact);
      const length = 1 + randomInt(random, trial % 2 === 0 ? 8 : 4096);
      const start = randomInt(random, bytes.length - length);
      for (let at = start; at < start + length; at++) bytes[at] = randomInt(random, 256);
      writeFileSync(path.join(place, "store/data.mdb"), bytes);
      return place;
    });
    const { stdout } = await run(process.execPath, [compiled("test/durable/opening-process.ts"), ...damaged]);
    const lines = stdout.trim().split("\n");
    expect(lines).toHaveLength(trials);
    expect(
      lines.filter((line) => !/^(opened \w+|refused cannot use the data directory .*)$/.test(line)),
    ).toEqual([]);
    // Whatever could be opened has all objects as they were: the damage was in free pages.
    const opened = lines.filter((line) => line.startsWith("opened"));
    expect(opened.filter((line) => line !== `opened ${digest}`)).toEqual([]);
    expect(opened.length).toBeLessThan(trials);
  },
);

function digestOf(values: readonly Buffer[]): string {
  return createHash("sha256").update(Buffer.concat(values)).digest("hex");
}
