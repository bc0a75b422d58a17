import { expect, onTestFinished, test, vi } from "vitest";

const program = new URL("../../examples/scheduler-plugin/main.mjs", import.meta.url);

test("scheduler-plugin: an out-of-tree plugin decides where Pods go, and an event it registered for wakes the one it rejected", async () => {
  const log = vi.spyOn(console, "log").mockImplementation(() => undefined);
  onTestFinished(() => log.mockRestore());
  await import(/* @vite-ignore */ program.pathname);
  expect(log.mock.calls.flat()).toEqual([
    "900 W granted: a on node-2, b on node-1, c on no node",
    "1200 W granted: a on node-2, b on node-1, c on node-3",
  ]);
});
