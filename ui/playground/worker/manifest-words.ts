import { apiVersionOf } from "../../../src/api/resource.ts";
import { type Member, shapeOf } from "../../../src/api/schema/shape.ts";
import { type KindFacts, kindByName, schemaTable } from "../../../src/api/schema/table.ts";
import type { ManifestWord, ManifestWords } from "../messages.ts";
import { documentAt, placeAtEnd, type YamlPlace } from "./place-in-yaml.ts";

/** More than can be read; typing on narrows them down. */
const mostWords = 40;

/** What may stand at a place of a text of manifests, by the schema of their kinds. */
export function manifestWords(text: string, at: number): ManifestWords {
  const { document, before } = documentAt(text, at);
  const place = placeAtEnd(before);
  const candidates = candidatesAt(place, headerOf(document));
  const typed = place.typed.toLowerCase();
  const starting = candidates.filter(({ word }) => word.toLowerCase().startsWith(typed));
  const found =
    starting.length > 0 ? starting : candidates.filter(({ word }) => word.toLowerCase().includes(typed));
  return { from: at - place.typed.length, words: found.slice(0, mostWords) };
}

interface Header {
  readonly apiVersion: string;
  readonly kind: string;
}

function headerOf(document: string): Header {
  const [, apiVersion = ""] = /^apiVersion:[ ]+"?([\w./-]+)/m.exec(document) ?? [];
  const [, kind = ""] = /^kind:[ ]+"?(\w+)/m.exec(document) ?? [];
  return { apiVersion, kind };
}

function candidatesAt(place: YamlPlace, header: Header): readonly ManifestWord[] {
  const { path, valueKey } = place;
  if (path.length === 0) return candidatesAtTop(valueKey, header);
  const members = membersAt(path, header);
  return valueKey === undefined
    ? members.map(keyWord)
    : valuesOf(members.find(({ name }) => name === valueKey));
}

function candidatesAtTop(valueKey: string | undefined, header: Header): readonly ManifestWord[] {
  if (valueKey === "kind") return kindWords(header.apiVersion);
  if (valueKey === "apiVersion") return versionWords(header.kind);
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

/** The kinds that can be created. */
const writable = (): readonly KindFacts[] =>
  schemaTable().kinds.filter(({ verbs }) => verbs.includes("create"));

function kindWords(apiVersion: string): readonly ManifestWord[] {
  const all = writable();
  const ofVersion = all.filter((each) => apiVersionOf(each) === apiVersion);
  return (ofVersion.length > 0 ? ofVersion : all)
    .map((each) => ({ word: each.kind, insert: each.kind, detail: apiVersionOf(each) }))
    .toSorted((a, b) => (a.word < b.word ? -1 : 1));
}

function versionWords(kind: string): readonly ManifestWord[] {
  const all = writable();
  const ofKind = all.filter((each) => each.kind === kind);
  const versions = new Set((ofKind.length > 0 ? ofKind : all).map(apiVersionOf));
  return [...versions].toSorted().map((word) => ({ word, insert: word, detail: "" }));
}
