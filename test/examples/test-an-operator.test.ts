import { expect, onTestFinished, test, vi } from "vitest";

const program = new URL("../../examples/test-an-operator/main.mjs", import.meta.url);

test("test-an-operator: an operator with the official client has a cluster of its own", async () => {
  const log = vi.spyOn(console, "log").mockImplementation(() => undefined);
  onTestFinished(() => log.mockRestore());
  await import(/* @vite-ignore */ program.pathname);
  expect(log.mock.calls.flat()).toEqual([
    "the operator has started 2 Pods",
    "2 Pods are terminating, for 5 minutes",
    "5 minutes later, at once: 0 Pods",
  ]);
});
