import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { compiled } from "../durable/compiled.ts";

test("twenty thousand hostile requests leave an API server that serves an innocent client", async () => {
  // Where the machine is busy they may be fewer: nothing here depends on how long a request takes.
  const flags = ["--requests", "20000", "--seconds", "35"];
  // A problem, or a server that ends, is exit code 1, and rejects with what was printed.
  const { stdout } = await promisify(execFile)(process.execPath, [
    compiled("test/hostile/main.ts"),
    ...flags,
  ]);
  expect(stdout).toMatch(/^[1-9]\d* requests in .*\n0 problems\n/);
  expect(stdout).toMatch(/innocent client beside them: [1-9]\d* requests/);
});
