import type { Container } from "../../../api/generated/core-v1.ts";

/** How long a command runs, and how it exits. */
export interface CommandRun {
  /** Infinite for a command that does not end by itself. */
  readonly afterMs: number;
  readonly exitCode: number;
}

const secondsPerUnit: Readonly<Record<string, number>> = { "": 1, s: 1, m: 60, h: 3600, d: 86_400 };
const shells = new Set(["sh", "bash", "ash", "dash"]);
const succeeded: CommandRun = { afterMs: 0, exitCode: 0 };

/**
 * Returns the run of containers that start and end together: the longest of their commands, with the first exit code
 * other than 0. `undefined` if one of the commands is not among those that are simulated.
 */
export function commandRunOf(containers: readonly Container[]): CommandRun | undefined {
  let whole: CommandRun | undefined;
  for (const container of containers) {
    const run = containerCommandRun(container);
    if (run === undefined) return undefined;
    whole = {
      afterMs: Math.max(whole?.afterMs ?? 0, run.afterMs),
      exitCode: whole !== undefined && whole.exitCode !== 0 ? whole.exitCode : run.exitCode,
    };
  }
  return whole;
}

/** Returns the run of a container's command line, if it consists of commands that are simulated. */
export function containerCommandRun({ command = [], args = [] }: Container): CommandRun | undefined {
  const words = [...command, ...args];
  const [program = "", option, script, ...rest] = words;
  if (shells.has(baseName(program)))
    return option === "-c" && script !== undefined && rest.length === 0 ? scriptRun(script) : undefined;
  // Only a shell has the builtin exit, but test manifests also name it alone.
  return words.length === 0 ? undefined : simpleCommandRun(words);
}

/** Returns the run of a list of commands, which ends at an `exit` and at the first failure before `&&`. */
function scriptRun(script: string): CommandRun | undefined {
  const parts = script.split(/(;|&&|\n)\s*/);
  let total = succeeded;
  for (let index = 0; index < parts.length; index += 2) {
    const text = (parts[index] ?? "").trim();
    if (text === "") continue;
    if (parts[index - 1] === "&&" && total.exitCode !== 0) return total;
    const run = simpleCommandRun(text.split(/\s+/));
    if (run === undefined) return undefined;
    const isBareExit = text === "exit";
    total = {
      afterMs: total.afterMs + run.afterMs,
      exitCode: isBareExit ? total.exitCode : run.exitCode,
    };
    if (text.startsWith("exit") || total.afterMs === Number.POSITIVE_INFINITY) return total;
  }
  return total;
}

/** Returns the run of one command without operators. */
function simpleCommandRun([program = "", ...operands]: readonly string[]): CommandRun | undefined {
  switch (baseName(program)) {
    case "true":
      return succeeded;
    case "false":
      return { afterMs: 0, exitCode: 1 };
    case "exit":
      return exitRun(operands);
    case "sleep":
      return sleepRun(operands);
    case "pause":
      return operands.length === 0 ? { afterMs: Number.POSITIVE_INFINITY, exitCode: 0 } : undefined;
    default:
      return undefined;
  }
}

function exitRun([code = "0", ...rest]: readonly string[]): CommandRun | undefined {
  return rest.length === 0 && /^[0-9]{1,3}$/.test(code)
    ? { afterMs: 0, exitCode: Number(code) & 255 }
    : undefined;
}

function sleepRun(operands: readonly string[]): CommandRun | undefined {
  if (operands.length === 0) return undefined;
  let seconds = 0;
  for (const operand of operands) {
    const [, number, unit = ""] = /^([0-9]{1,9}(?:\.[0-9]{1,9})?)([smhd]?)$/.exec(operand) ?? [];
    if (number === undefined && !/^inf(inity)?$/.test(operand)) return undefined;
    seconds += number === undefined ? Number.POSITIVE_INFINITY : Number(number) * (secondsPerUnit[unit] ?? 1);
  }
  return { afterMs: Math.round(seconds * 1000), exitCode: 0 };
}

function baseName(program: string): string {
  return program.slice(program.lastIndexOf("/") + 1);
}
