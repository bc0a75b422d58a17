import { existsSync, writeFileSync } from "node:fs";
import path from "node:path";
import { messageOf } from "../../api/message-of.ts";
import { makeFolder } from "../../cluster/make-folder.ts";
import { type Command, reportErrors } from "../command.ts";
import { starterFiles } from "../init/starter-files.ts";
import { packageVersion } from "../installed-package.ts";

/** Writes what a project starts with; files that are there stay as they are. */
export const init: Command = {
  name: "init",
  summary: "Write a scenario, a workflow that runs it in CI, and a pod picker, to start from.",
  operands: "FOLDER",
  flags: {},
  run({ arguments: words }, terminal) {
    const [folder = ".", ...more] = words;
    if (more.length > 0)
      return Promise.resolve(reportErrors(terminal, init, ["one folder may be named; default: this one"]));
    const files = starterFiles(packageVersion()).map(({ path: file, text }) => ({
      file: path.join(folder, file),
      text,
    }));
    const taken = files.filter(({ file }) => existsSync(file));
    if (taken.length > 0) {
      const problems = taken.map(({ file }) => `${file} is there already; nothing was written`);
      return Promise.resolve(reportErrors(terminal, init, problems));
    }
    try {
      for (const { file, text } of files) {
        makeFolder(path.dirname(file), 0o777);
        writeFileSync(file, text, { flag: "wx" });
        terminal.out(`wrote ${file}`);
      }
    } catch (error) {
      // the boundary of the command
      const problem = `${folder} cannot be written: ${messageOf(error)}`;
      return Promise.resolve(reportErrors(terminal, init, [problem]));
    }
    terminal.out(`Next: trimtab simulate ${path.join(folder, "scenarios/web.yaml")}`);
    return Promise.resolve(0);
  },
};
