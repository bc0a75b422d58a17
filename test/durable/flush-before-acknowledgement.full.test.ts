import { execFile, spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import path from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { compiled, temporaryFolder } from "./compiled.ts";

const run = promisify(execFile);
const canTrace = spawnSync("strace", ["-V"]).status === 0;

/** What one line of a trace means for the store. */
type Step = "pages" | "flushed" | "committed" | undefined;

function stepOf(line: string): Step {
  if (/fdatasync\(.*= 0$/.test(line)) return "flushed";
  // The descriptor that was opened for synchronous writes: it returns when the page is on disk.
  if (/pwrite64\(.*data\.mdb>.*= \d+$/.test(line) && line.includes("(meta)")) return "committed";
  return /(pwritev?(64)?|writev)\(.*data\.mdb>/.test(line) ? "pages" : undefined;
}

test.skipIf(!canTrace)(
  "the system was told to flush an object, and had done so, before it was acknowledged",
  { timeout: 300_000 },
  async () => {
    const folder = temporaryFolder();
    const trace = path.join(folder, "trace");
    const calls = "trace=openat,fdatasync,pwrite64,pwritev,writev,write";
    const program = [compiled("test/durable/acknowledging-process.ts"), path.join(folder, "data"), "60"];
    await run("strace", ["-f", "-y", "-s", "65536", "-e", calls, "-o", trace, process.execPath, ...program], {
      maxBuffer: 2 ** 24,
    });
    const lines = withNamedDescriptor(wholeCalls(readFileSync(trace, "utf8").split("\n")));
    const acknowledged = lines.flatMap((line, at) => {
      const name = /"acknowledged (thing-\d+-end);"/.exec(line)?.[1];
      return name === undefined ? [] : [{ name, at }];
    });
    expect(acknowledged).toHaveLength(60);
    for (const { name, at } of acknowledged) {
      const before = lines.slice(0, at);
      const written = before.findIndex((line) => line.includes(name) && stepOf(line) === "pages");
      const flushed = before.findIndex((line, index) => index > written && stepOf(line) === "flushed");
      const committed = before.findIndex((line, index) => index > flushed && stepOf(line) === "committed");
      expect({ name, missing: [written, flushed, committed].filter((index) => index < 0) }).toEqual({
        name,
        missing: [],
      });
    }
  },
);

/**
 * Calls that strace split because another thread's came between, whole again: an acknowledgement where it began, any
 * other call where it returned, so that no interleaving makes an acknowledgement look later than it was.
 */
function wholeCalls(lines: readonly string[]): readonly string[] {
  const begun = new Map<string, string>();
  return lines.flatMap((line) => {
    const thread = /^\d+/.exec(line)?.[0] ?? "";
    const cut = line.indexOf(" <unfinished ...>");
    if (cut >= 0) {
      begun.set(thread, line.slice(0, cut));
      return line.includes('"acknowledged ') ? [line] : [];
    }
    const resumed = /<\.\.\. \w+ resumed>(.*)$/.exec(line);
    if (resumed === null) return [line];
    const start = begun.get(thread) ?? "";
    return start.includes('"acknowledged ') ? [] : [`${start}${resumed[1]}`];
  });
}

/** Marks writes through the descriptor that the database opened with O_DSYNC. */
function withNamedDescriptor(lines: readonly string[]): readonly string[] {
  const opened = lines.find((line) => line.includes("data.mdb") && line.includes("O_DSYNC")) ?? "";
  const descriptor = /= (\d+)</.exec(opened)?.[1];
  expect(descriptor).toBeDefined();
  return lines.map((line) => line.replace(`pwrite64(${descriptor}<`, `(meta) pwrite64(${descriptor}<`));
}
