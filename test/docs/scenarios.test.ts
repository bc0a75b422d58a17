import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import type { DocumentSchema } from "../../src/api/documents/document-schema.ts";
import { scenarioSchema } from "../../src/simulation/scenario-files/scenario-schema.ts";
import { simulate } from "../../src/cli/commands/simulate.ts";
import { parse } from "yaml";
import { codeBlocks } from "./markdown.ts";

const page = readFileSync(new URL("../../docs/scenarios.md", import.meta.url), "utf8");

/** The names of all members of a schema, and of what is in it. */
function membersOf({
  properties = {},
  items,
  anyOf = [],
  additionalProperties,
}: DocumentSchema): readonly string[] {
  const optional = [items, additionalProperties].filter((each) => typeof each === "object");
  return [
    ...Object.keys(properties),
    ...[...Object.values(properties), ...anyOf, ...optional].flatMap(membersOf),
  ];
}

test("docs/scenarios.md has every field of a scenario, and every flag", () => {
  const gates = Object.keys(scenarioSchema.properties?.["featureGates"]?.properties ?? {});
  const names = membersOf(scenarioSchema).filter((name) => !gates.includes(name));
  expect(names.length).toBeGreaterThan(80);
  expect(names.filter((name) => !new RegExp(`\\b${name}\\b`).test(page))).toEqual([]);
  expect(Object.keys(simulate.flags).filter((name) => !page.includes(`--${name}`))).toEqual([]);
});

test("its workflows for CI are YAML, and call the command as it can be called", () => {
  const [, section = ""] = page.split("\n## In CI\n");
  const workflows = codeBlocks(section.split("\n## ")[0] ?? "");
  expect(workflows.map(({ language }) => language)).toEqual(["yaml", "yaml"]);
  const outputs = workflows.map(({ text }) => {
    const commands = JSON.stringify(parse(text)).match(/trimtab simulate [^">]+/g) ?? [];
    expect(commands).toHaveLength(1);
    const [, output] = / -o (\w+)/.exec(commands[0] ?? "") ?? [];
    const flags = [...(commands[0] ?? "").matchAll(/--([a-z-]+)/g)].map(([, name = ""]) => name);
    expect(flags.filter((name) => !(name in simulate.flags))).toEqual([]);
    return output;
  });
  expect(outputs).toEqual(["github", "junit"]);
});
