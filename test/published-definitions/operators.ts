import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { parseAllDocuments } from "yaml";
import { isJsonObject, type Json, type JsonObject } from "../../src/api/json.ts";
import { type BuiltTool, buildTool } from "../clients/tool-cache.ts";

/** An operator whose Go module has its CustomResourceDefinitions, by a pinned version. */
export interface Operator {
  readonly name: string;
  readonly module: string;
}

/** A YAML file of an operator: its text, and the objects in it. */
export interface PublishedFile {
  readonly file: string;
  readonly text: string;
  readonly objects: readonly JsonObject[];
}

const sources = fileURLToPath(new URL("collect", import.meta.url));

export const operators = JSON.parse(
  readFileSync(path.join(sources, "operators.json"), "utf8"),
) as readonly Operator[];

/** Downloads what an operator publishes, or finds it where an earlier run left it. */
export const collect = ({ name, module }: Operator): Promise<BuiltTool> =>
  buildTool({
    name: `definitions-${name}-${module.split("@").at(-1) ?? ""}`,
    sources,
    version: ["go", "version"],
    build: [["node", "collect.mjs", name]],
  });

/** Reads the files of `definitions` or `samples`, in the order of their names. */
export function publishedFiles(folder: string, part: "definitions" | "samples"): readonly PublishedFile[] {
  return readdirSync(path.join(folder, part))
    .toSorted()
    .map((file) => {
      const text = readFileSync(path.join(folder, part, file), "utf8");
      return { file, text, objects: objectsIn(text) };
    });
}

function objectsIn(text: string): readonly JsonObject[] {
  const documents = parseAllDocuments(text, { merge: true, logLevel: "error" });
  return documents.map((document) => document.toJS({ maxAliasCount: 1000 }) as Json).filter(isJsonObject);
}
