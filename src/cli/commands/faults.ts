import { writeFileSync } from "node:fs";
import { messageOf } from "../../api/message-of.ts";
import { WallClock } from "../../machinery/clock/wall-clock.ts";
import { type Command, reportErrors } from "../command.ts";
import { faultRunFlags, readFaultRun } from "../faults/fault-run-settings.ts";
import { faultRunText } from "../faults/fault-run-text.ts";
import { type FaultRunResult, runFaultSeeds } from "../faults/run-fault-seeds.ts";

export const faults: Command = {
  name: "faults",
  summary: "Run a command, such as go test, while its API server misbehaves: trimtab faults run -- COMMAND.",
  operands: "run -- COMMAND…",
  operandChoices: ["run"],
  flags: faultRunFlags,
  async run(invocation, terminal) {
    const read = readFaultRun(invocation);
    if (!read.ok) return reportErrors(terminal, faults, read.problems);
    const { settings } = read;
    try {
      const result = await runFaultSeeds(settings, {
        clock: new WallClock(),
        signal: terminal.interrupted,
        report: terminal.out,
      });
      if (terminal.interrupted.aborted) return reportErrors(terminal, faults, ["interrupted"]);
      terminal.out(faultRunText(result));
      if (settings.save !== undefined && result.kind === "tried" && result.narrowed !== undefined)
        writeFileSync(settings.save, `${JSON.stringify(result.narrowed.identities, undefined, 2)}\n`);
      return hasPassed(result) ? 0 : 1;
    } catch (error) {
      return reportErrors(terminal, faults, [messageOf(error)]); // the boundary of the command
    }
  },
};

function hasPassed(result: FaultRunResult): boolean {
  return result.kind === "tried" && result.runs.every(({ run }) => run.passed);
}
