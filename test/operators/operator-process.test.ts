import { expect, test, vi } from "vitest";
import { startOperator } from "./operator-process.ts";

test("a program that ends by itself is started again, and stays ended when it is stopped", async () => {
  const env = { PATH: process.env["PATH"] ?? "" };
  const running = startOperator("sh", ["-c", "echo started; exit 3"], env);
  await vi.waitFor(() => expect(running.restarts()).toBe(1), { timeout: 30_000 });
  await running.stop();
  expect(running.output()).toMatch(/^started\n\n\(it ended with exit code 3\)\n/);
});
