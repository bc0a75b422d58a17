import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { analyse } from "scslre";
import { describe, expect, test } from "vitest";
import { parseSync } from "vite";

const root = fileURLToPath(new URL("../..", import.meta.url));

interface Expression {
  readonly where: string;
  readonly source: string;
  readonly flags: string;
}

/** The regular expressions that are written in a file. */
function expressionsIn(file: string): readonly Expression[] {
  const text = readFileSync(path.join(root, file), "utf8");
  const found: Expression[] = [];
  const visit = (node: unknown) => {
    if (typeof node !== "object" || node === null) return;
    if ("regex" in node && "start" in node) {
      const { pattern, flags } = node.regex as { pattern: string; flags: string };
      const line = text.slice(0, Number(node.start)).split("\n").length;
      found.push({ where: `${file}:${line}`, source: pattern, flags });
    }
    for (const member of Object.values(node)) visit(member);
  };
  visit(parseSync(file, text).program);
  return found;
}

const files = ["src", "ui"].flatMap((folder) =>
  readdirSync(path.join(root, folder), { recursive: true, encoding: "utf8" })
    .filter((name) => /\.tsx?$/.test(name) && !/\.(test|cases|contract)\.ts$/.test(name))
    .filter((name) => !name.includes("node_modules"))
    .map((name) => path.join(folder, name)),
);

/** The patterns of the published documents, which are compiled when one is read. */
function patternsIn(file: string): readonly Expression[] {
  const found: Expression[] = [];
  const visit = (value: unknown) => {
    if (typeof value !== "object" || value === null) return;
    if ("pattern" in value && typeof value.pattern === "string")
      found.push({ where: file, source: value.pattern, flags: "u" });
    for (const member of Object.values(value)) visit(member);
  };
  visit(JSON.parse(readFileSync(path.join(root, "schema", file), "utf8")));
  return found;
}

/** Why a search may take more than linear time: two repetitions that share a text, or one that begins anew at every place. */
function problemsOf({ where, source, flags }: Expression): readonly string[] {
  const { reports } = analyse({ source, flags }, { assumeRejectingSuffix: false });
  return reports.map(({ type, exponential }) => {
    const growth = exponential ? "exponential" : "polynomial";
    return `${where}: /${source}/${flags} takes ${growth} time (${type})`;
  });
}

describe("no text makes a regular expression take more than linear time", () => {
  test("of those in the code", () => {
    const expressions = files.flatMap(expressionsIn);
    expect(expressions.length).toBeGreaterThan(300);
    expect(expressions.flatMap(problemsOf)).toEqual([]);
  });

  test("of those in the schemas of documents", () => {
    const schemas = readdirSync(path.join(root, "schema")).filter((name) => name.endsWith(".schema.json"));
    const expressions = schemas.flatMap(patternsIn);
    expect(expressions.length).toBeGreaterThan(5);
    expect(expressions.flatMap(problemsOf)).toEqual([]);
  });

  test.for([
    ["a piece that can be read in two ways", "^(?:[0-9]+\\.?[0-9]*m)+$", "exponential"],
    ["three runs of digits", "^[0-9]*\\.?[0-9]*e*[0-9]*$", "polynomial"],
    ["spaces before a comma", "\\s*,", "polynomial"],
  ] as const)("%s is noticed", ([, source, growth]) => {
    expect(problemsOf({ where: "here", source, flags: "" }).join("\n")).toContain(growth);
  });
});
