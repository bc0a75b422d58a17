import path from "node:path";
import { anchorOf } from "../render-markdown.ts";
import type { SourcePage } from "../read-pages.ts";
import { type Member, membersOf, oneLine } from "./members.ts";
import { type Declared, exportedNames, findDeclared, type Module, readModule } from "./read-module.ts";

/** A published subpath of the package: `trimtab/cluster`, and the module that it exports. */
export interface Subpath {
  readonly name: string;
  readonly file: string;
}

/** The subpaths that package.json exports with types, and the sources that these are made from. */
export function subpathsOf(root: string, manifest: { readonly exports: object }): readonly Subpath[] {
  return Object.entries(manifest.exports).flatMap(([name, entry]: [string, unknown]) => {
    const types = typeof entry === "object" && entry !== null && "types" in entry ? String(entry.types) : "";
    if (!types.startsWith("./dist/")) return [];
    const file = types.replace("./dist/", "src/").replace(/\.d\.ts$/, ".ts");
    return [{ name: `trimtab${name.slice(1)}`, file: path.join(root, file) }];
  });
}

const folder = "reference";

/** Where the page of a subpath would be if it was written by hand. */
export function referenceFile({ name }: Subpath): string {
  return `${folder}/${name.replaceAll("/", "-")}.md`;
}

/** A page for each published subpath, with the index before them: every export, its type and its comment. */
export function writeReference(subpaths: readonly Subpath[]): readonly SourcePage[] {
  const rows = subpaths.map((subpath) => {
    const module = readModule(subpath.file);
    const link = path.posix.basename(referenceFile(subpath));
    return `| [\`${subpath.name}\`](${link}) | ${moduleComment(module)} |`;
  });
  const index = [
    "# API reference",
    "",
    "What programs import from the package, made from the types and comments of the sources. What is stable is in",
    "[Versions](../docs/versions.md); where to begin is [A cluster for your tests](../docs/embedding.md).",
    "",
    "| import | what it is |",
    "| ------ | ---------- |",
    ...rows,
    "",
  ].join("\n");
  return [
    { file: `${folder}/README.md`, text: index },
    ...subpaths.map((subpath) => ({ file: referenceFile(subpath), text: subpathPage(subpath) })),
  ];
}

/** The line comments at the top of a module. */
function moduleComment({ text }: Module): string {
  const [head = ""] = /^(?:\/\/[^\n]*\n)*/.exec(text) ?? [];
  return head
    .replaceAll(/^\/\/ ?/gm, "")
    .replaceAll("\n", " ")
    .trim();
}

function subpathPage({ name, file }: Subpath): string {
  const module = readModule(file);
  const names = exportedNames(module);
  const exported = names.map((each) => ({ name: each, declared: findDeclared(module, each) }));
  const shown = new Set(exported.flatMap(({ declared }) => declared ?? []));
  const mentioned = mentionedBy([...shown], shown);
  const known = new Map([
    ...[...mentioned].map((each) => [each, each.name] as const),
    ...exported.flatMap(({ name: as, declared }) =>
      declared === undefined ? [] : [[declared, as] as const],
    ),
  ]);
  return [
    `# ${name}`,
    "",
    moduleComment(module),
    "",
    "```ts",
    `import { ${names.find((each) => /^[a-z]/.test(each)) ?? names[0] ?? ""} } from "${name}";`,
    "```",
    "",
    ...exported.flatMap(({ name: as, declared }) => ["", `## ${as}`, "", ...entry(as, declared, known)]),
    ...(mentioned.length > 0
      ? ["## Types that these mention", "", "They have no name to import; what has them is above.", ""]
      : []),
    ...mentioned.flatMap((each) => ["", `### ${each.name}`, "", ...entry(each.name, each, known)]),
  ].join("\n");
}

type Known = ReadonlyMap<Declared, string>;

function entry(name: string, declared: Declared | undefined, known: Known): readonly string[] {
  if (declared === undefined) return ["Of another package.", ""];
  const members = isUnion(declared) ? undefined : membersOf(declared);
  const code = members === undefined ? declarationText(declared, name) : headText(declared, name);
  const used = [...new Set(typesIn(declared).flatMap((each) => known.get(each) ?? []))].filter(
    (each) => each !== name,
  );
  return [
    "```ts",
    code,
    "```",
    "",
    declared.comment,
    "",
    ...(members ?? []).map(memberItem),
    "",
    ...(used.length > 0
      ? [`Mentions ${used.map((each) => `[${each}](#${anchorOf(each)})`).join(", ")}.`, ""]
      : []),
  ];
}

function memberItem({ signature, comment }: Member): string {
  const fence = signature.includes("`") ? "``" : "`";
  const text = comment.replaceAll(/\s+/g, " ");
  return `- ${fence}${signature}${fence}${text === "" ? "" : `: ${text}`}`;
}

function isUnion({ node }: Declared): boolean {
  return node.type === "TSTypeAliasDeclaration" && node.typeAnnotation.type === "TSUnionType";
}

/** What is before the members. */
function headText({ node, module }: Declared, name: string): string {
  const { text } = module;
  if (node.type === "TSInterfaceDeclaration" || node.type === "ClassDeclaration")
    return `${oneLine(text.slice(node.start, node.body.start))} { … }`;
  return `type ${name} = { … }`;
}

/** A declaration without what it does. */
function declarationText({ node, module, name: own }: Declared, name: string): string {
  const { text } = module;
  if (node.type === "VariableDeclaration") return variableText({ node, name: own, text });
  if (node.type !== "FunctionDeclaration" && node.type !== "TSDeclareFunction")
    return text.slice(node.start, node.end);
  const head = text.slice(node.start, node.body?.start ?? node.end).trim();
  return head.replace(/^async /, "").replace(`function ${own}`, `function ${name}`);
}

type Variables = Extract<Declared["node"], { type: "VariableDeclaration" }>;

/** Its type, if it is written, or the parameters of the function that it is. */
function variableText({
  node,
  name,
  text,
}: Pick<Declared, "name"> & { node: Variables; text: string }): string {
  const found = node.declarations.find(({ id }) => id.type === "Identifier" && id.name === name);
  if (found === undefined) return `const ${name}`;
  const { id, init, end } = found;
  const until = init?.type === "ArrowFunctionExpression" ? init.body.start : (init?.start ?? end);
  return `const ${text
    .slice(id.start, until)
    .replace(/(?:=>|=)\s*$/, "")
    .trim()}`;
}

/** Kubernetes' own types are those of its documentation. */
const generated = `${path.sep}api${path.sep}generated${path.sep}`;

/** The declarations of this package that the types of a declaration name. */
function typesIn(declared: Declared): readonly Declared[] {
  const members = isUnion(declared) ? undefined : membersOf(declared);
  const texts =
    members === undefined
      ? [{ module: declared.module, signature: declarationText(declared, declared.name) }]
      : [{ module: declared.module, signature: headText(declared, declared.name) }, ...members];
  const found = texts.flatMap(({ module, signature }) =>
    [...signature.matchAll(/\b[A-Z]\w+/g)].flatMap(([name]) => findDeclared(module, name) ?? []),
  );
  return [...new Set(found)].filter(({ module }) => !module.file.includes(generated));
}

/** Options are followed to their ends, all else by one step. */
const followed = /(?:Options|Traits|Group|Gates)$/;

function mentionedBy(declared: readonly Declared[], shown: ReadonlySet<Declared>): readonly Declared[] {
  const found = new Set<Declared>();
  const visit = (each: Declared, isEnd: boolean): void => {
    if (shown.has(each) || found.has(each)) return;
    found.add(each);
    if (!isEnd || followed.test(each.name)) typesIn(each).forEach((next) => visit(next, true));
  };
  for (const each of declared) typesIn(each).forEach((next) => visit(next, true));
  return [...found].sort((one, other) => (one.name < other.name ? -1 : 1));
}
