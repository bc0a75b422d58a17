import type { Command } from "./command.ts";

const description =
  "Which Pods Kubernetes removes, when it replaces them, and where they land: see it, test it, steer it.";

/** What `trimtab --help` prints. */
export function overview(commands: readonly Command[]): string {
  const rows = commands.map((command) => [command.name, command.summary] as const);
  return [
    description,
    "",
    "Usage: trimtab COMMAND [FLAGS]",
    "",
    ...columns(rows),
    "",
    "Run trimtab COMMAND --help for the flags of a command.",
  ].join("\n");
}

/** What `trimtab COMMAND --help` prints. */
export function helpOf(command: Command): string {
  const rows = Object.entries(command.flags).map(([name, flag]) => {
    const value = flag.type === "boolean" ? "" : ` ${flag.value ?? "VALUE"}`;
    const isOff = flag.default === undefined || flag.default === false || flag.default === "";
    const fallback = isOff ? "" : ` (default ${String(flag.default)})`;
    const short = flag.short === undefined ? "" : `-${flag.short}, `;
    return [`${short}--${name}${value}`, `${flag.help}${fallback}`] as const;
  });
  const operands = command.operands === undefined ? "" : ` [${command.operands}]`;
  const usage = `Usage: trimtab ${command.name}${rows.length > 0 ? " [FLAGS]" : ""}${operands}`;
  return [command.summary, "", usage, ...(rows.length > 0 ? ["", ...columns(rows)] : [])].join("\n");
}

function columns(rows: readonly (readonly [string, string])[]): string[] {
  const width = Math.max(...rows.map(([left]) => left.length));
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`);
}
