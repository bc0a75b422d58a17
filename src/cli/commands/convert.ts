import process from "node:process";
import { text } from "node:stream/consumers";
import type { SettingsForm } from "../../api/convert-settings.ts";
import { readTextFile } from "../../machinery/client/connection/text-file.ts";
import { type Command, reportErrors } from "../command.ts";
import { convertText } from "../convert/convert-text.ts";
import { choiceProblems, flagText } from "../flags/flag-values.ts";

const forms: readonly SettingsForm[] = ["stock", "trimtab"];

/** Prints manifests with Trimtab's settings as annotations, which every API server stores, or as fields; changes no file. */
export const convert: Command = {
  name: "convert",
  summary:
    "Print manifests for a stock cluster, with annotations in place of Trimtab's fields, or the other way round.",
  operands: "FILE…",
  flags: {
    to: {
      type: "string",
      value: "FORM",
      choices: forms,
      help: "stock: annotations, for any cluster; trimtab: fields, for trimtab up",
    },
  },
  async run({ flags, arguments: files }, terminal) {
    const form = forms.find((each) => each === flagText(flags, "to"));
    const problems = [
      ...(flags["to"] === undefined
        ? ["--to stock or --to trimtab is needed"]
        : choiceProblems(flags, "to", forms)),
      ...(files.length === 0 ? ["name the files to convert; - is standard input"] : []),
    ];
    if (form === undefined || problems.length > 0) return reportErrors(terminal, convert, problems);
    const texts: string[] = [];
    const mistakes: string[] = [];
    for (const file of files) {
      const read = file === "-" ? { ok: true as const, text: await text(process.stdin) } : readTextFile(file);
      const converted = read.ok
        ? convertText(read.text, form)
        : { ok: false as const, problems: [` ${read.reason}`] };
      if (converted.ok) texts.push(converted.text);
      else mistakes.push(...converted.problems.map((problem) => `${file}:${problem}`));
    }
    if (mistakes.length > 0) return reportErrors(terminal, convert, mistakes);
    terminal.out(joined(texts));
    return 0;
  },
};

/** The texts of several files as one stream of documents. */
function joined(texts: readonly string[]): string {
  const [first = "", ...others] = texts.map((each) => each.trimEnd());
  return [first, ...others.map((each) => (each.startsWith("---") ? each : `---\n${each}`))].join("\n");
}
