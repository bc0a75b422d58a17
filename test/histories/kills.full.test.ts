import path from "node:path";
import { expect, test } from "vitest";
import { WallClock } from "../../src/machinery/clock/wall-clock.ts";
import { seededRandom } from "../../src/machinery/random/random.ts";
import { compiled, temporaryFolder } from "../durable/compiled.ts";
import { runKills } from "./run-kills.ts";

test("clients of processes that are killed see what is promised", { timeout: 120_000 }, async () => {
  const { kills, acknowledged, violation } = await runKills({
    kills: 10,
    seconds: 60,
    clock: new WallClock(),
    random: seededRandom("kills"),
    program: compiled("test/durable/server-process.ts"),
    folder: path.join(temporaryFolder(), "data"),
  });
  expect(violation).toBeUndefined();
  expect(kills).toBeGreaterThan(0);
  expect(acknowledged).toBeGreaterThan(0);
});
