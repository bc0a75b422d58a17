import { expect, test } from "vitest";
import { VirtualClock } from "../../machinery/clock/virtual-clock.ts";
import { lineLogger } from "./line-logger.ts";

test("a line is JSON with its level, time, message and fields, without tokens", () => {
  const lines: string[] = [];
  const log = lineLogger(new VirtualClock(), (line) => lines.push(line)).with({ picker: "shop" });
  log.debug("not written");
  log.error("picker failed", { error: new Error("no database"), token: "sesame" });
  expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual([
    {
      level: "error",
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT/) as string,
      msg: "picker failed",
      picker: "shop",
      error: { message: "no database", stack: expect.stringContaining("line-logger.test.ts") as string },
      token: "[redacted]",
    },
  ]);
  expect(lines[0]?.endsWith("\n")).toBe(true);
});
