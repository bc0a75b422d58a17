import type { SeedReport } from "./run-seeds.ts";
import { hasFailed } from "./summary.ts";

/** Shows how far many runs have come: in place on a terminal, else a line for every tenth of them. */
export function progressOn(
  stream: Pick<NodeJS.WriteStream, "write" | "isTTY">,
  count: number,
): (report: SeedReport) => void {
  let done = 0;
  let failed = 0;
  const tenth = Math.max(1, Math.floor(count / 10));
  return (report) => {
    done++;
    if (hasFailed(report)) failed++;
    const text = `${done} of ${count} runs, ${failed} failed`;
    if (stream.isTTY) stream.write(`\r${text}${done === count ? "\n" : ""}`);
    else if (done % tenth === 0 || done === count) stream.write(`${text}\n`);
  };
}
