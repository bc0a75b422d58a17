import { commentBefore, type Declaration, type Declared, findDeclared, type Module } from "./read-module.ts";

type Interface = Extract<Declaration, { type: "TSInterfaceDeclaration" }>;
type Alias = Extract<Declaration, { type: "TSTypeAliasDeclaration" }>;
type Class = Extract<Declaration, { superClass: unknown }>;
type TypeNode = Alias["typeAnnotation"];
type Heritage = Interface["extends"][number];
type Signature = Interface["body"]["body"][number];
type Arguments = Heritage["typeArguments"];

/** A member of an interface, an object type or a class, as the reference shows it. */
export interface Member {
  readonly name: string;
  /** Without `readonly`: that is the rule here. */
  readonly signature: string;
  readonly comment: string;
  /** Where the names in it are known. */
  readonly module: Module;
}

/** The members of a declaration, those included that it takes from others; `undefined` if it is no object. */
export function membersOf({ module, node }: Declared): readonly Member[] | undefined {
  if (node.type === "TSTypeAliasDeclaration") return typeMembers(module, node.typeAnnotation);
  if (node.type === "ClassDeclaration") return node.body.body.flatMap((each) => classMember(module, each));
  if (node.type !== "TSInterfaceDeclaration") return undefined;
  const own = node.body.body.flatMap((each) => signatureMember(module, each));
  const taken = node.extends.flatMap((each) => heritageMembers(module, each) ?? []);
  return withoutRepeats([...own, ...taken]);
}

function withoutRepeats(members: readonly Member[]): readonly Member[] {
  const seen = new Set<string>();
  return members.filter(({ name }) => !seen.has(name) && seen.add(name) !== undefined);
}

/** Source text on one line. */
export function oneLine(text: string): string {
  return text
    .replaceAll(/\/\*[^]*?\*\//g, "")
    .replaceAll(/\/\/[^\n]*/g, "")
    .replaceAll(/\s+/g, " ")
    .replaceAll(/(?<![\w$.])readonly (?=[\w$[])/g, "")
    .replaceAll(/([=(:<,]) \| /g, "$1 ")
    .replaceAll(/([(<]) /g, "$1")
    .replaceAll(/,? ([)>])/g, (whole, bracket: string) => (whole.startsWith(",") ? bracket : whole))
    .trim()
    .replace(/[;,]$/, "");
}

function signatureMember(module: Module, node: Signature): readonly Member[] {
  const name =
    node.type === "TSPropertySignature" || node.type === "TSMethodSignature" ? keyOf(node.key) : "";
  const signature = oneLine(module.text.slice(node.start, node.end));
  return [
    { name: name === "" ? signature : name, signature, comment: commentBefore(module, node.start), module },
  ];
}

function keyOf(key: { readonly type: string }): string {
  if ("name" in key && typeof key.name === "string") return key.name;
  return "value" in key ? String(key.value) : "";
}

type ClassElement = Class["body"]["body"][number];

/** What a user of a class sees: neither private members nor bodies. */
function classMember(module: Module, node: ClassElement): readonly Member[] {
  if (node.type !== "MethodDefinition" && node.type !== "PropertyDefinition") return [];
  if (node.key.type === "PrivateIdentifier" || node.accessibility === "private") return [];
  const isMethod = node.type === "MethodDefinition";
  const end = (isMethod ? node.value.body?.start : node.value?.start) ?? node.end;
  const text = oneLine(module.text.slice(node.start, end))
    .replace(/ ?=$/, "")
    .replace(/^async /, "");
  return [{ name: keyOf(node.key), signature: text, comment: commentBefore(module, node.start), module }];
}

function heritageMembers(
  module: Module,
  { expression, typeArguments }: Heritage,
): readonly Member[] | undefined {
  return expression.type === "Identifier" ? namedMembers(module, expression.name, typeArguments) : undefined;
}

function typeMembers(module: Module, node: TypeNode): readonly Member[] | undefined {
  if (node.type === "TSTypeLiteral") return node.members.flatMap((each) => signatureMember(module, each));
  if (node.type === "TSIntersectionType") {
    const parts = node.types.map((each) => typeMembers(module, each));
    return parts.includes(undefined) ? undefined : parts.flatMap((part) => part ?? []);
  }
  if (node.type !== "TSTypeReference" || node.typeName.type !== "Identifier") return undefined;
  return namedMembers(module, node.typeName.name, node.typeArguments);
}

/** The members of a type by its name: one of the utility types of TypeScript, or one that is declared here. */
function namedMembers(module: Module, name: string, args: Arguments): readonly Member[] | undefined {
  const [of, keys] = args?.params ?? [];
  const inner = of === undefined ? undefined : typeMembers(module, of);
  switch (name) {
    case "Partial":
      return inner?.map((member) => ({ ...member, signature: optional(member) }));
    case "Readonly":
    case "Required":
      return inner;
    case "Pick":
      return inner?.filter((member) => literals(keys).has(member.name));
    case "Omit":
      return inner?.filter((member) => !literals(keys).has(member.name));
    default: {
      const declared = findDeclared(module, name);
      return declared === undefined ? undefined : membersOf(declared);
    }
  }
}

function optional({ name, signature }: Member): string {
  return signature.startsWith(`${name}:`) ? `${name}?${signature.slice(name.length)}` : signature;
}

function literals(node: TypeNode | undefined): ReadonlySet<string> {
  const all = node?.type === "TSUnionType" ? node.types : node === undefined ? [] : [node];
  return new Set(
    all.flatMap((each) =>
      each.type === "TSLiteralType" && each.literal.type === "Literal" ? [String(each.literal.value)] : [],
    ),
  );
}
