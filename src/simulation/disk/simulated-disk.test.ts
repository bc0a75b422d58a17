import { describe, expect, test } from "vitest";
import { diskContract } from "../../cluster/store/durable/disk.contract.ts";
import type { Disk } from "../../cluster/store/durable/disk.ts";
import { VirtualClock } from "../../machinery/clock/virtual-clock.ts";
import { seededRandom } from "../../machinery/random/random.ts";
import { goodConditions, openSimulatedDisk } from "./simulated-disk.ts";
import { SimulatedMedium } from "./simulated-medium.ts";

/** A medium in virtual time, and the way to open it. */
function machine(seed = 0) {
  const [clock, medium, random] = [new VirtualClock(), new SimulatedMedium(), seededRandom(seed)];
  const conditions = { ...goodConditions(), flushMs: 10 };
  return {
    clock,
    medium,
    random,
    conditions,
    open: () => openSimulatedDisk({ medium, clock, random, conditions }),
  };
}

diskContract("the simulated disk", () => {
  const { clock, open } = machine();
  return { open: async () => open(), finished: (work) => clock.runUntilSettled(work) };
});

const batch = ["a", "b", "c", "d"].map((key) => ({ collection: "things", key, bytes: Buffer.from("1") }));
const keys = (disk: Disk) => [...disk.entries()].map(({ key }) => key).join("");

test("when the power fails during a batch, all of it is left or nothing, and each happens", async () => {
  const left = new Set<string>();
  for (let seed = 0; seed < 200; seed++) {
    const { clock, medium, random, open } = machine(seed);
    const disk = open();
    void disk.write({ changes: batch });
    await clock.advance(random.next() * 20);
    disk.kill();
    medium.losePower(random);
    left.add(keys(open()));
  }
  expect([...left].sort()).toEqual(["", "abcd"]);
});

test("a batch that was flushed is left whole when the power fails", async () => {
  const { clock, medium, random, open } = machine();
  const disk = open();
  await clock.runUntilSettled(disk.write({ changes: batch }));
  disk.kill();
  medium.losePower(random);
  expect(keys(open())).toBe("abcd");
});

test("a killed process writes nothing more", async () => {
  const { clock, open } = machine();
  const disk = open();
  let isAcknowledged = false;
  void disk.write({ changes: batch }).then(() => (isAcknowledged = true));
  await clock.settle();
  disk.kill();
  await clock.advance(1000);
  expect([isAcknowledged, keys(open())]).toEqual([false, ""]);
});

describe("calls fail", () => {
  test.for([
    { state: "full", want: { code: "ENOSPC" } },
    { state: "broken", want: { code: "EIO" } },
  ] as const)("of a $state disk with $want.code", async ({ state, want }) => {
    const { clock, conditions, open } = machine();
    const disk = open();
    conditions.state = state;
    for (const work of [() => disk.write({ changes: batch }), () => disk.probe(1)])
      await expect(clock.runUntilSettled(work())).rejects.toMatchObject(want);
    expect(() => disk.reserve(5)).toThrow(want.code);
  });
});
