import { readFileSync } from "node:fs";
import path from "node:path";
import { parseSync } from "vite";

export type Program = ReturnType<typeof parseSync>["program"];
export type Statement = Program["body"][number];
type Import = Extract<Statement, { type: "ImportDeclaration" }>;
type NamedExport = Extract<Statement, { type: "ExportNamedDeclaration" }>;
export type Declaration = NonNullable<NamedExport["declaration"]>;

/** A name that a module takes from another one. */
export interface TakenName {
  readonly file: string;
  readonly name: string;
}

/** A declaration at the top of a module, with its comment. */
export interface Declared {
  readonly module: Module;
  readonly name: string;
  readonly node: Declaration;
  readonly comment: string;
}

/** What the reference reads of a source file. */
export interface Module {
  readonly file: string;
  readonly text: string;
  /** Every `/** … *\/`, by where it ends. */
  readonly comments: readonly { readonly end: number; readonly text: string }[];
  readonly declared: ReadonlyMap<string, Declared>;
  /** Names that are imported, and those that are exported out of another module, by the name they have here. */
  readonly taken: ReadonlyMap<string, TakenName>;
  readonly reexported: ReadonlyMap<string, TakenName>;
  /** Modules of which everything is exported. */
  readonly whole: readonly string[];
  /** Exported under another name than the one here: name outside, name here. */
  readonly renamed: ReadonlyMap<string, string>;
}

const modules = new Map<string, Module>();

/** Reads a source file; what was read once is kept. */
export function readModule(file: string): Module {
  const known = modules.get(file);
  if (known !== undefined) return known;
  const text = readFileSync(file, "utf8");
  const { program, comments } = parseSync(file, text, { lang: "ts" });
  const docs = comments
    .filter(({ type, value }) => type === "Block" && value.startsWith("*"))
    .map(({ end, value }) => ({ end, text: commentText(value) }));
  const module = {
    file,
    text,
    comments: docs,
    declared: new Map<string, Declared>(),
    taken: new Map<string, TakenName>(),
    reexported: new Map<string, TakenName>(),
    renamed: new Map<string, string>(),
    whole: [] as string[],
  };
  modules.set(file, module);
  for (const statement of program.body) readStatement(statement, module);
  return module;
}

type Growing = Module & {
  readonly declared: Map<string, Declared>;
  readonly taken: Map<string, TakenName>;
  readonly reexported: Map<string, TakenName>;
  readonly renamed: Map<string, string>;
  readonly whole: string[];
};

function readStatement(statement: Statement, module: Growing): void {
  if (statement.type === "ExportNamedDeclaration") readExport(statement, module);
  else if (statement.type === "ImportDeclaration") readImport(statement, module);
  else if (statement.type === "ExportAllDeclaration")
    module.whole.push(resolved(module, statement.source.value));
  else declare(statement as Declaration, statement.start, module);
}

function readImport({ specifiers, source }: Import, module: Growing): void {
  for (const each of specifiers)
    if (each.type === "ImportSpecifier")
      module.taken.set(each.local.name, {
        file: resolved(module, source.value),
        name: nameOf(each.imported),
      });
}

function readExport({ declaration, source, specifiers, start }: NamedExport, module: Growing): void {
  if (declaration !== null) {
    declare(declaration, start, module);
    return;
  }
  for (const { local, exported } of specifiers) {
    if (source === null) module.renamed.set(nameOf(exported), nameOf(local));
    else
      module.reexported.set(nameOf(exported), {
        file: resolved(module, source.value),
        name: nameOf(local),
      });
  }
}

function declare(node: Declaration, start: number, module: Growing): void {
  const comment = commentBefore(module, start);
  for (const name of namesOf(node))
    // Of several signatures of a function the first one has the comment.
    if (!module.declared.has(name)) module.declared.set(name, { module, name, node, comment });
}

function namesOf(node: Declaration): readonly string[] {
  if (node.type === "VariableDeclaration")
    return node.declarations.flatMap(({ id }) => (id.type === "Identifier" ? [id.name] : []));
  const id = "id" in node ? node.id : null;
  return id !== null && id.type === "Identifier" ? [id.name] : [];
}

function nameOf(node: { readonly type: string }): string {
  if ("name" in node && typeof node.name === "string") return node.name;
  return "value" in node && typeof node.value === "string" ? node.value : "";
}

/** The comment that ends right before a place. */
export function commentBefore({ comments, text }: Module, start: number): string {
  const found = comments.findLast(({ end }) => end <= start);
  return found !== undefined && text.slice(found.end, start).trim() === "" ? found.text : "";
}

function commentText(value: string): string {
  return value
    .slice(1)
    .split("\n")
    .map((line) => line.replace(/^\s*\* ?/, ""))
    .join("\n")
    .trim();
}

/** Other packages are not followed: their names have no file here. */
function resolved({ file }: Module, specifier: string): string {
  return specifier.startsWith(".") ? path.resolve(path.dirname(file), specifier) : specifier;
}

/** Where a name that a module uses, or exports, is declared; `undefined` if another package has it. */
export function findDeclared(module: Module, name: string): Declared | undefined {
  const own = module.renamed.get(name) ?? name;
  const declared = module.declared.get(own);
  if (declared !== undefined) return declared;
  const taken = module.reexported.get(name) ?? module.taken.get(own);
  if (taken === undefined)
    return module.whole
      .map((file) => findDeclared(readModule(file), name))
      .find((each) => each !== undefined);
  return path.isAbsolute(taken.file) ? findDeclared(readModule(taken.file), taken.name) : undefined;
}

/** The names that a module with nothing but exports of others exports. */
export function exportedNames({ reexported, renamed, whole }: Module): readonly string[] {
  const names = [
    ...reexported.keys(),
    ...renamed.keys(),
    ...whole.flatMap((file) => exportedNames(readModule(file))),
  ];
  return [...new Set(names)];
}
