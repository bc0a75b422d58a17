import type { ReadTextFile } from "../../machinery/client/connection/text-file.ts";

/** Where a scenario and the files that it names are read from: a disk, or texts in memory. */
export interface ScenarioFiles {
  readonly read: ReadTextFile;
  /** Returns the path of a file that another one names. */
  readonly beside: (file: string, name: string) => string;
}

/** Files in memory, by their paths. */
export function textsInMemory(texts: Readonly<Record<string, string>>): ScenarioFiles {
  return {
    read(file) {
      const text = Object.hasOwn(texts, file) ? texts[file] : undefined;
      return text === undefined ? { ok: false, missing: true, reason: "no such file" } : { ok: true, text };
    },
    beside(file, name) {
      const steps = file.split("/").slice(0, -1);
      for (const step of name.split("/")) {
        if (step === "..") steps.pop();
        else if (step !== ".") steps.push(step);
      }
      return steps.join("/");
    },
  };
}

const stepsOf = (file: string) => file.split(/[\\/]/).filter((step) => step !== "");

/** The name of a file without its folders and ending. */
export function stemOf(file: string): string {
  const base = stepsOf(file).at(-1) ?? "";
  return base.replace(/(?<=.)\.[^.]*$/, "");
}

/** The name of the folder a file is in; empty where the path does not tell. */
export function folderName(file: string): string {
  const folder = stepsOf(file).at(-2) ?? "";
  return folder === "." ? "" : folder;
}
