import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { buildSession } from "./build-suites.ts";
import { type BundledPrograms, bundlePrograms } from "./bundled-program.ts";
import { startSession } from "./envtest-session.ts";

const count = 8;

// `go test ./...` starts as many environments at once as there are packages and processors.
describe.runIf(process.env["TRIMTAB_OPERATORS"] === "all")("environments of envtest", () => {
  let programs: BundledPrograms;
  beforeAll(async () => {
    programs = await bundlePrograms();
  }, 600_000);
  afterAll(() => programs.remove());

  test("eight start, run and stop side by side", { timeout: 900_000 }, async ({ skip }) => {
    const built = await buildSession();
    if ("missing" in built) return skip(built.missing);
    const sessions = await Promise.all(
      Array.from({ length: count }, () => startSession(built.program, programs.assets)),
    );
    const startMs = sessions.map((session) => session.startMs).toSorted((a, b) => a - b);
    process.stdout.write(`${count} environments started in ${startMs.map(Math.round).join(", ")} ms\n`);
    const stopped = await Promise.all(sessions.map(({ stop }) => stop()));
    expect(stopped).toHaveLength(count);
  });
});
