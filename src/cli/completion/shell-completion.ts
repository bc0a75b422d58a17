import type { Command, Flag } from "../command.ts";

/** Writes the completion script of a shell. */
export type CompletionWriter = (commands: readonly Command[]) => string;

const flagsOf = ({ flags }: Command) => Object.entries(flags);
const takesFile = ({ value }: Flag) => value === "FILE";
const takesValue = ({ type }: Flag) => type === "string";

const bash: CompletionWriter = (commands) => {
  const words = (list: readonly string[]) => `$'${list.join("\\n")}'`;
  const reply = (what: string) => `COMPREPLY=($(compgen ${what} -- "$current"))`;
  const flagValues = commands.flatMap((command) =>
    flagsOf(command)
      .filter(([, flag]) => takesValue(flag))
      .map(([name, flag]) => `    ${command.name}:--${name}) ${valueReply(flag)}return ;;`),
  );
  function valueReply(flag: Flag): string {
    if (flag.choices !== undefined) return `${reply(`-W ${words(flag.choices)}`)}; `;
    return takesFile(flag) ? `compopt -o filenames 2>/dev/null; ${reply("-f")}; ` : "";
  }
  const operands = ({ name, operandChoices, operands: named }: Command) => {
    if (operandChoices !== undefined) return [`    ${name}) ${reply(`-W ${words(operandChoices)}`)} ;;`];
    return named === undefined ? [] : [`    ${name}) compopt -o filenames 2>/dev/null; ${reply("-f")} ;;`];
  };
  const names = ({ flags }: Command) => [...Object.keys(flags), "help"].map((name) => `--${name}`);
  return [
    "# bash completion of trimtab: source <(trimtab completion bash)",
    "_trimtab() {",
    '  local IFS=$\'\\n\' command="${COMP_WORDS[1]}" current="${COMP_WORDS[COMP_CWORD]}"',
    '  local previous="${COMP_WORDS[COMP_CWORD-1]}"',
    "  # bash makes three words of --flag=value",
    '  if [[ $current == "=" ]]; then current=""; fi',
    '  if [[ $previous == "=" ]]; then previous="${COMP_WORDS[COMP_CWORD-2]}"; fi',
    "  COMPREPLY=()",
    "  if [[ $COMP_CWORD -eq 1 ]]; then",
    `    ${reply(`-W ${words([...commands.map(({ name }) => name), "help"])}`)}`,
    "    return",
    "  fi",
    '  case "$command:$previous" in',
    ...flagValues,
    "  esac",
    "  if [[ $current == -* ]]; then",
    '    case "$command" in',
    ...commands.map((command) => `    ${command.name}) ${reply(`-W ${words(names(command))}`)} ;;`),
    "    esac",
    "    return",
    "  fi",
    '  case "$command" in',
    ...commands.flatMap(operands),
    "  esac",
    "}",
    "complete -F _trimtab trimtab",
  ].join("\n");
};

const zsh: CompletionWriter = (commands) => {
  const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;
  const plain = (text: string) => text.replace(/[[\]:\\]/g, (special) => `\\${special}`);
  const completes = (choices: readonly string[] | undefined, isFile: boolean) =>
    choices === undefined ? (isFile ? "_files" : "") : `(${choices.join(" ")})`;
  const flag = ([name, option]: readonly [string, Flag]) => {
    const help = `--${name}${takesValue(option) ? "=" : ""}[${plain(option.help)}]`;
    if (!takesValue(option)) return quoted(help);
    return quoted(
      `${help}:${plain(option.value ?? "VALUE")}:${completes(option.choices, takesFile(option))}`,
    );
  };
  const operands = ({ operandChoices, operands: named }: Command) =>
    named === undefined ? [] : [quoted(`*:${plain(named)}:${completes(operandChoices, true)}`)];
  const branch = (command: Command) => {
    const specs = [...flagsOf(command).map(flag), quoted("--help[Show help]"), ...operands(command)];
    return `    ${command.name}) _arguments ${specs.join(" ")} ;;`;
  };
  return [
    "#compdef trimtab",
    "# zsh completion of trimtab: source <(trimtab completion zsh)",
    "_trimtab() {",
    "  local -a commands",
    `  commands=(${commands.map(({ name, summary }) => quoted(`${name}:${plain(summary)}`)).join(" ")})`,
    "  if (( CURRENT == 2 )); then",
    "    _describe command commands",
    "    return",
    "  fi",
    "  shift words",
    "  (( CURRENT-- ))",
    "  case $words[1] in",
    ...commands.map(branch),
    "  esac",
    "}",
    'if [[ $funcstack[1] == _trimtab ]]; then _trimtab "$@"; else compdef _trimtab trimtab; fi',
  ].join("\n");
};

const fish: CompletionWriter = (commands) => {
  const quoted = (text: string) => `'${text.replace(/[\\']/g, (special) => `\\${special}`)}'`;
  const values = (option: Flag) => {
    if (!takesValue(option)) return "";
    if (option.choices !== undefined) return ` -x -a ${quoted(option.choices.join(" "))}`;
    return takesFile(option) ? " -r -F" : " -x";
  };
  const branch = (command: Command) => {
    const seen = `complete -c trimtab -n ${quoted(`__fish_seen_subcommand_from ${command.name}`)}`;
    const { operandChoices, operands } = command;
    return [
      ...flagsOf(command).map(
        ([name, option]) => `${seen} -l ${name}${values(option)} -d ${quoted(option.help)}`,
      ),
      ...(operandChoices === undefined ? [] : [`${seen} -a ${quoted(operandChoices.join(" "))}`]),
      ...(operands === undefined || operandChoices !== undefined ? [] : [`${seen} -F`]),
    ];
  };
  return [
    "# fish completion of trimtab: trimtab completion fish | source",
    "complete -c trimtab -f",
    ...commands.map(
      ({ name, summary }) => `complete -c trimtab -n __fish_use_subcommand -a ${name} -d ${quoted(summary)}`,
    ),
    ...commands.flatMap(branch),
  ].join("\n");
};

/** The shells that can complete `trimtab`. */
export const completionWriters: ReadonlyMap<string, CompletionWriter> = new Map([
  ["bash", bash],
  ["zsh", zsh],
  ["fish", fish],
]);
