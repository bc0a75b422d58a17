import type { KubectlCommand } from "./kubectl-command.ts";
import type { LineFlags } from "./line/flag.ts";

type Commands = Readonly<Record<string, KubectlCommand>>;

/** What `kubectl help` prints. */
export function overview(commands: Commands): string {
  return `kubectl of trimtab: the verbs of kubectl, without a kubectl.\n\nCommands:\n${listed(commands)}\nUse "kubectl <command> --help" for the flags of a command.\n`;
}

/** What `kubectl COMMAND --help` prints. */
export function commandHelp(
  { summary, flags = {}, commands = {} }: KubectlCommand,
  path: readonly string[],
): string {
  const parts = [`${summary}\n`];
  if (Object.keys(commands).length > 0) parts.push(`Commands:\n${listed(commands)}`);
  if (Object.keys(flags).length > 0) parts.push(`Flags:\n${flagLines(flags)}`);
  parts.push(`Usage:\n  kubectl ${path.join(" ")} [flags]\n`);
  return parts.join("\n");
}

function listed(commands: Commands): string {
  return Object.entries(commands)
    .map(([name, { summary }]) => `  ${name.padEnd(16)}${summary}\n`)
    .join("");
}

function flagLines(flags: LineFlags): string {
  return Object.entries(flags)
    .map(([name, { short, help = "" }]) =>
      `  ${`${short === undefined ? "   " : `-${short},`} --${name}`.padEnd(34)}${help}`.trimEnd(),
    )
    .map((line) => `${line}\n`)
    .join("");
}
