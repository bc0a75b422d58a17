import { type Command, reportErrors } from "../command.ts";
import { completionWriters } from "../completion/shell-completion.ts";

const shells = [...completionWriters.keys()];

/** The command that writes completion scripts; it knows all commands, itself included. */
export function completionOf(commands: () => Promise<readonly Command[]>): Command {
  const completion: Command = {
    name: "completion",
    summary: "Print a script that completes trimtab's commands and flags in a shell.",
    operands: shells.join("|"),
    operandChoices: shells,
    flags: {},
    run: async ({ arguments: operands }, terminal) => {
      const write = operands.length === 1 ? completionWriters.get(operands[0] ?? "") : undefined;
      if (write === undefined) {
        const problem = `one shell is needed: ${shells.join(", ")}`;
        return reportErrors(terminal, completion, [problem]);
      }
      terminal.out(write(await commands()));
      return 0;
    },
  };
  return completion;
}
