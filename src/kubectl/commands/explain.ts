import type { Json, JsonObject } from "../../api/json.ts";
import { compareText } from "../../api/compare-text.ts";
import { fieldOf, itemSchemaOf, resolved, mergeSchemaOf, type SchemaCursor } from "../apply/merge-schema.ts";
import { CommandFailure, failure, notSupportedHere } from "../command-failure.ts";
import { type Context, say } from "../context.ts";
import type { KubectlCommand } from "../kubectl-command.ts";
import { findType } from "../selection/find-type.ts";
import { at, mapAt, textAt } from "../selection/kube-object.ts";
import { apiVersionText } from "../server/discovery.ts";

/** `kubectl explain`. */
export const explain: KubectlCommand = {
  summary: "Get documentation for a resource",
  operands: "types",
  flags: {
    recursive: { type: "boolean" },
    "api-version": { type: "string" },
    output: { type: "string", short: "o", default: "plaintext", choices: ["plaintext"] },
  },
  async run(context) {
    const [word, ...more] = context.operands;
    if (word === undefined)
      throw failure(
        'You must specify the type of resource to explain. Use "kubectl api-resources" for a complete list of supported resources.',
      );
    if (more.length > 0) throw failure("We accept only this format: explain RESOURCE");
    if (context.text("output") !== "plaintext") throw notSupportedHere("explain -o");
    const { resource, path } = await resourceAt(context, word);
    const root = await mergeSchemaOf(context, resource);
    if (root.schema === undefined)
      throw failure(`couldn't find resource for "${apiVersionText(resource)}, Kind=${resource.kind}"`);
    const group = resource.group === "" ? [] : [`GROUP:      ${resource.group}`];
    for (const line of [...group, `KIND:       ${resource.kind}`, `VERSION:    ${resource.version}`, ""])
      say(context, line);
    for (const line of explanation(root, path, context.isOn("recursive"))) say(context, line);
  },
};

async function resourceAt(context: Context, word: string) {
  const resources = await context.server.resources();
  const [type = "", ...path] = word.split(".");
  const version = context.text("api-version");
  try {
    const found = findType(resources, type);
    if (version === "") return { resource: found, path };
    const versioned = resources.find(
      (each) => each.plural === found.plural && apiVersionText(each) === version,
    );
    if (versioned !== undefined) return { resource: versioned, path };
    const [group = "", ofGroup] = version.includes("/") ? version.split("/") : ["", version];
    throw failure(`couldn't find resource for "${group}/${ofGroup ?? ""}, Resource=${found.plural}"`);
  } catch (error) {
    const isUnknown =
      error instanceof CommandFailure && error.message.includes("doesn't have a resource type");
    throw isUnknown ? new CommandFailure(error.message.replace(/^error: /, "")) : error;
  }
}

type Lines = readonly string[];

function explanation(root: SchemaCursor, path: Lines, isRecursive: boolean): Lines {
  let cursor = root;
  for (const name of path) {
    const next = fieldOf(inner(cursor), name);
    if (next.schema === undefined || at(inner(cursor).schema, "properties", name) === undefined)
      throw failure(`field ${JSON.stringify(name)} does not exist`);
    cursor = next;
  }
  const name = path.at(-1);
  const field =
    name === undefined ? [] : [`FIELD: ${name} <${typeText(cursor)}>`, ...enumLines(cursor, ""), "", ""];
  const fields = isRecursive ? recursiveLines(cursor, 1) : fieldLines(cursor);
  const listed = fields.length === 0 ? [""] : ["FIELDS:", ...fields, ""];
  return [...field, "DESCRIPTION:", ...descriptionLines(cursor), "    ", ...listed];
}

/** The object that a value, a list or a map consists of. */
function inner(cursor: SchemaCursor): SchemaCursor {
  const own = resolved(cursor);
  if (at(own.schema, "items") !== undefined) return inner(itemSchemaOf(own));
  const more = at(own.schema, "additionalProperties");
  return more !== undefined && typeof more === "object" ? inner({ ...own, schema: more }) : own;
}

function descriptionLines(cursor: SchemaCursor): Lines {
  const texts = [...new Set(descriptionsOf(cursor))];
  return texts.length === 0 ? ["    <empty>"] : texts.flatMap((text) => wrapped(text, "    "));
}

/** The description of a field, and that of the type it refers to. */
function descriptionsOf(cursor: SchemaCursor): Lines {
  const own = textAt(cursor.schema, "description");
  const type = resolved(cursor);
  const nested = type.schema === cursor.schema ? [] : [textAt(type.schema, "description")];
  const items = at(type.schema, "items") ?? at(type.schema, "additionalProperties");
  const ofItems =
    typeof items === "object" && items !== null ? descriptionsOf({ ...type, schema: items }) : [];
  return [own, ...nested, ...ofItems].filter((text) => text !== "");
}

const width = 76;

function wrapped(text: string, indent: string): Lines {
  return text.split("\n").flatMap((paragraph) => {
    const lines: string[] = [];
    for (const word of paragraph.split(" ")) {
      const last = lines.at(-1);
      if (last !== undefined && last.length + 1 + word.length <= width)
        lines[lines.length - 1] = `${last} ${word}`;
      else lines.push(word);
    }
    return lines.map((line) => indent + line);
  });
}

interface ExplainedField {
  readonly name: string;
  readonly cursor: SchemaCursor;
  readonly isRequired: boolean;
}

function fieldsOf(cursor: SchemaCursor): readonly ExplainedField[] {
  const object = inner(cursor);
  const required = new Set((at(object.schema, "required") ?? []) as readonly string[]);
  return Object.entries(mapAt(object.schema, "properties") as unknown as JsonObject)
    .toSorted(([one], [other]) => compareText(one, other))
    .map(([name, schema]) => ({ name, cursor: { ...object, schema }, isRequired: required.has(name) }));
}

const titleOf = ({ name, cursor, isRequired }: ExplainedField) =>
  `${name}\t<${typeText(cursor)}>${isRequired ? " -required-" : ""}`;

function fieldLines(cursor: SchemaCursor): Lines {
  return fieldsOf(cursor).flatMap((field) => {
    const [first] = descriptionsOfField(field.cursor);
    return [
      `  ${titleOf(field)}`,
      ...enumLines(field.cursor, "  "),
      ...(first === undefined ? ["    <no description>"] : wrapped(first, "    ")),
      "",
    ];
  });
}

function descriptionsOfField({ schema }: SchemaCursor): Lines {
  const own = textAt(schema, "description");
  return own === "" ? [] : [own];
}

const deepest = 30;

function recursiveLines(cursor: SchemaCursor, level: number): Lines {
  if (level > deepest) return [];
  const indent = "  ".repeat(level);
  return fieldsOf(cursor).flatMap((field) => [
    `${indent}${titleOf(field)}`,
    ...enumLines(field.cursor, indent),
    ...recursiveLines(field.cursor, level + 1),
  ]);
}

function enumLines(cursor: SchemaCursor, indent: string): Lines {
  const values = (at(resolved(cursor).schema, "enum") ?? at(cursor.schema, "enum")) as
    | readonly Json[]
    | undefined;
  if (values === undefined) return [];
  return [`${indent}enum: ${values.map((value) => (value === "" ? '""' : textAt(value))).join(", ")}`];
}

/** `PodSpec`, `[]string`, `map[string]Quantity` and the like. */
function typeText(cursor: SchemaCursor): string {
  const { schema } = cursor;
  const items = at(schema, "items");
  if (items !== undefined) return `[]${typeText({ ...cursor, schema: items })}`;
  const more = at(schema, "additionalProperties");
  if (typeof more === "object" && more !== null) return `map[string]${typeText({ ...cursor, schema: more })}`;
  return referredType(cursor) ?? plainType(schema);
}

/** The name of the type that a field refers to, unless it is a text, a number and the like. */
function referredType(cursor: SchemaCursor): string | undefined {
  const { schema } = cursor;
  const reference =
    textAt(schema, "$ref") || textAt(((at(schema, "allOf") ?? []) as readonly Json[])[0], "$ref");
  if (reference === "") return undefined;
  const primitive = textAt(resolved(cursor).schema, "type");
  return primitive === "" || primitive === "object" ? reference.split(/[./]/).at(-1) : primitive;
}

function plainType(schema: Json | undefined): string {
  const type = textAt(schema, "type");
  return type === "" || type === "object" ? "Object" : type;
}
