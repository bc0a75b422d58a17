import type { CustomResourceDefinition } from "../../../src/api/generated/apiextensions-v1.ts";
import { apiVersionOf } from "../../../src/api/resource.ts";
import { type Member, shapeOf } from "../../../src/api/schema/shape.ts";
import { kindByName, schemaTable } from "../../../src/api/schema/table.ts";
import type { ManifestWord, ManifestWords } from "../messages.ts";
import { customKinds, keysIn, schemaAt, valuesIn } from "./custom-words.ts";
import { documentAt, placeAtEnd, type YamlPlace } from "./place-in-yaml.ts";

/** More than can be read; typing on narrows them down. */
const mostWords = 40;

/** What may stand at a place of a text of manifests, by the schema of their kinds; those of a cluster have definitions. */
export function manifestWords(
  text: string,
  at: number,
  definitions: readonly CustomResourceDefinition[] = [],
): ManifestWords {
  const { document, before } = documentAt(text, at);
  const place = placeAtEnd(before);
  const candidates = candidatesAt(place, { ...headerOf(document), definitions });
  const typed = place.typed.toLowerCase();
  const starting = candidates.filter(({ word }) => word.toLowerCase().startsWith(typed));
  const found =
    starting.length > 0 ? starting : candidates.filter(({ word }) => word.toLowerCase().includes(typed));
  return { from: at - place.typed.length, words: found.slice(0, mostWords) };
}

interface Header {
  readonly apiVersion: string;
  readonly kind: string;
  readonly definitions: readonly CustomResourceDefinition[];
}

function headerOf(document: string): Omit<Header, "definitions"> {
  const [, apiVersion = ""] = /^apiVersion:[ ]+"?([\w./-]+)/m.exec(document) ?? [];
  const [, kind = ""] = /^kind:[ ]+"?(\w+)/m.exec(document) ?? [];
  return { apiVersion, kind };
}

function candidatesAt(place: YamlPlace, header: Header): readonly ManifestWord[] {
  const { path, valueKey } = place;
  if (path.length === 0) return candidatesAtTop(valueKey, header);
  if (isCustom(header)) return customCandidates(place, header);
  const members = membersAt(path, header);
  return valueKey === undefined
    ? members.map(keyWord)
    : valuesOf(members.find(({ name }) => name === valueKey));
}

const isCustom = ({ apiVersion, kind }: Header) => kindByName(apiVersion, kind) === undefined;

function customCandidates({ path, valueKey }: YamlPlace, header: Header): readonly ManifestWord[] {
  const [first, ...rest] = path;
  if (first === "metadata") {
    const members = typeAt("meta.v1.ObjectMeta", rest);
    return valueKey === undefined && members !== undefined
      ? (shapeOf(members)?.members ?? []).map(keyWord)
      : [];
  }
  const schema = schemaAt(header.definitions, header, valueKey === undefined ? path : [...path, valueKey]);
  if (schema === undefined) return [];
  return valueKey === undefined ? keysIn(schema) : valuesIn(schema);
}

function candidatesAtTop(valueKey: string | undefined, header: Header): readonly ManifestWord[] {
  if (valueKey === "kind") return kindWords(header);
  if (valueKey === "apiVersion") return versionWords(header);
  if (isCustom(header)) return valueKey === undefined ? [...headerKeys, ...customKeys(header)] : [];
  const others = membersAt([], header).filter(({ name }) => name !== "kind" && name !== "apiVersion");
  return valueKey === undefined
    ? [...headerKeys, ...others.map(keyWord)]
    : valuesOf(others.find(({ name }) => name === valueKey));
}

function membersAt(path: readonly string[], { apiVersion, kind }: Header): readonly Member[] {
  const facts = kindByName(apiVersion, kind);
  const type = facts && typeAt(facts.type, path);
  return type === undefined ? [] : (shapeOf(type)?.members ?? []);
}

const headerKeys: readonly ManifestWord[] = ["apiVersion: ", "kind: "].map((insert) => ({
  word: insert.slice(0, -2),
  insert,
  detail: "string, required",
}));

/** The type of the value at a path; `undefined` where the schema has none, or a plain one. */
function typeAt(root: string, path: readonly string[]): string | undefined {
  let type: string | undefined = root;
  let isInMap = false;
  for (const key of path) {
    if (isInMap) {
      isInMap = false; // any key, whose value has the type already
      continue;
    }
    const member: Member | undefined = type === undefined ? undefined : shapeOf(type)?.byName.get(key);
    if (member === undefined) return undefined;
    ({ type } = member);
    isInMap = member.form === "map";
  }
  return isInMap ? undefined : type;
}

const isObject = ({ type, form }: Member) => form === "map" || schemaTable().types.has(type);

function keyWord(member: Member): ManifestWord {
  const { name, form, type, facts } = member;
  const plain = type.slice(type.lastIndexOf(".") + 1);
  const shown = { single: plain, list: `[]${plain}`, map: `map of ${plain}` }[form];
  return {
    word: name,
    insert: isObject(member) || form === "list" ? `${name}:` : `${name}: `,
    detail: `${shown}${facts.required === true ? ", required" : ""}${facts.ours === true ? ", of Trimtab" : ""}`,
  };
}

function valuesOf(member: Member | undefined): readonly ManifestWord[] {
  const values = member?.type === "bool" ? ["true", "false"] : (member?.facts.enum ?? []);
  return values.map((word) => ({ word, insert: word, detail: "" }));
}

/** The members of an object of a custom kind; its schema need not name the metadata. */
function customKeys(header: Header): readonly ManifestWord[] {
  const { properties = {}, ...schema } = schemaAt(header.definitions, header, []) ?? {};
  const { apiVersion: _, kind: __, ...others } = properties;
  const known = Object.keys(properties).length > 0;
  return keysIn({ ...schema, properties: { ...(known && { metadata: { type: "object" } }), ...others } });
}

/** The kinds that can be created. */
const writable = ({
  definitions,
}: Header): readonly { readonly apiVersion: string; readonly kind: string }[] => [
  ...schemaTable()
    .kinds.filter(({ verbs }) => verbs.includes("create"))
    .map((each) => ({ apiVersion: apiVersionOf(each), kind: each.kind })),
  ...customKinds(definitions),
];

function kindWords(header: Header): readonly ManifestWord[] {
  const all = writable(header);
  const ofVersion = all.filter(({ apiVersion }) => apiVersion === header.apiVersion);
  return (ofVersion.length > 0 ? ofVersion : all)
    .map(({ kind, apiVersion }) => ({ word: kind, insert: kind, detail: apiVersion }))
    .toSorted((a, b) => (a.word < b.word ? -1 : 1));
}

function versionWords(header: Header): readonly ManifestWord[] {
  const all = writable(header);
  const ofKind = all.filter(({ kind }) => kind === header.kind);
  const versions = new Set((ofKind.length > 0 ? ofKind : all).map(({ apiVersion }) => apiVersion));
  return [...versions].toSorted().map((word) => ({ word, insert: word, detail: "" }));
}
