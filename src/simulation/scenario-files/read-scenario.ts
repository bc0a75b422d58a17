import path from "node:path";
import { type ReadTextFile, readTextFile } from "../../machinery/client/connection/text-file.ts";
import { type ReadScenario, readScenarioIn } from "./parse-scenario.ts";

/** Reads a scenario file; all its mistakes are named at once, each with line and column and what was expected. */
export function readScenario(file: string, read: ReadTextFile = readTextFile): ReadScenario {
  return readScenarioIn({ read, beside }, file);
}

/** A file that the scenario names, relative to itself or by an absolute path. */
function beside(file: string, name: string): string {
  return path.isAbsolute(name) ? name : path.join(path.dirname(file), name);
}
