import {
  type Document,
  isCollection,
  isMap,
  isNode,
  isPair,
  isScalar,
  type Node as YamlNode,
  Pair,
  parseDocument,
  Scalar,
  stringify,
  YAMLMap,
} from "yaml";
import type { SettingMove } from "../../api/convert-settings.ts";
import { type FieldPath, formatFieldPath } from "../../api/field-error.ts";
import type { Json } from "../../api/json.ts";
import { messageOf } from "../../api/message-of.ts";

export type MovedInYaml =
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly path: FieldPath; readonly problem: string };

/** Moves settings within a document and writes it again, in the style of its text; comments and order stay. */
export function moveInYaml(
  document: Document.Parsed,
  { moves, text }: { readonly moves: readonly SettingMove[]; readonly text: string },
): MovedInYaml {
  for (const { from, to, value } of moves) {
    const removed = takeOut(document, from);
    if (removed === undefined) {
      const problem = `${formatFieldPath(from)} comes from a merge (<<) or an alias, which cannot be converted: write it out`;
      return { ok: false, path: from, problem };
    }
    if (value !== undefined) putIn(document, { path: to, value, comments: removed.comments });
  }
  try {
    return { ok: true, text: document.toString(styleOf(text)) };
  } catch (error) {
    // The yaml library throws when an alias has lost its anchor.
    const problem = `an alias refers to what would move: ${messageOf(error)}`;
    return { ok: false, path: moves[0]?.from ?? [], problem };
  }
}

/** The settings as a person writes them into a document: a picker over several lines, unless the document is in braces. */
export function readableMoves(
  document: Document.Parsed,
  moves: readonly SettingMove[],
): readonly SettingMove[] {
  if (isMap(document.contents) && document.contents.flow === true) return moves;
  return moves.map((move) =>
    typeof move.value === "string" && move.value.startsWith("{")
      ? { ...move, value: JSON.stringify(JSON.parse(move.value), undefined, 2) }
      : move,
  );
}

/** Where in the text a member is, or the nearest object around it. */
export function offsetIn(document: Document.Parsed, path: FieldPath): number {
  for (let length = path.length; length > 0; length--) {
    const node = document.getIn(path.slice(0, length), true);
    if (isNode(node) && node.range) return node.range[0];
  }
  return document.range[0];
}

/** Removes a member, and the annotations if it was the last of them; returns its comments if it was there. */
export function takeOut(
  document: Document,
  path: FieldPath,
): { readonly comments: readonly string[] } | undefined {
  const around = path.slice(0, -1);
  const map = document.getIn(around, true);
  const index = isMap(map) ? map.items.findIndex(({ key }) => nameOf(key) === path.at(-1)) : -1;
  if (!isMap(map) || index === -1) return undefined;
  // The library gives the comment before the first member to the object.
  const before = index === 0 ? [map.commentBefore] : [];
  if (index === 0) map.commentBefore = null;
  const removed = map.items.splice(index, 1);
  const isGone = map.items.length === 0 && around.at(-1) === "annotations";
  if (isGone) document.deleteIn(around);
  const comments = [...before, ...removed.flatMap(commentsOf), ...(isGone ? [map.comment] : [])];
  return { comments: comments.filter((comment) => typeof comment === "string") };
}

interface Insertion {
  readonly path: FieldPath;
  readonly value: Json;
  readonly comments: readonly string[];
}

function putIn(document: Document, { path, value, comments }: Insertion): void {
  const map = openedMap(document, path.slice(0, -1));
  const key = new Scalar(path.at(-1));
  if (comments.length > 0) key.commentBefore = comments.join("\n");
  map.items = map.items.filter((pair) => nameOf(pair.key) !== path.at(-1)); // an unset one, if any
  map.add(new Pair(key, nodeOf(value)));
}

/**
 * The object at a path, made if it is not there. Metadata in braces is written over several lines, so that a long text gets
 * lines of its own, unless it is within others in braces.
 */
function openedMap(document: Document, path: FieldPath): YAMLMap {
  let map = document.contents;
  let isInFlow = false;
  for (const [index, step] of ["", ...path].entries()) {
    const to = path.slice(0, index);
    if (index > 0) map = document.getIn(to, true) as YamlNode | null;
    if (!isMap(map)) {
      map = new YAMLMap(document.schema);
      document.setIn(to, map);
    } else if (!isInFlow && (step === "metadata" || step === "annotations")) map.flow = false;
    isInFlow ||= isMap(map) && map.flow === true;
  }
  return map as YAMLMap;
}

function nodeOf(value: Json): YamlNode | null {
  if (typeof value === "string" && value.includes("\n")) {
    const lines = new Scalar(value);
    lines.type = Scalar.BLOCK_LITERAL;
    return lines;
  }
  // By way of text, so that each scalar is quoted where a reader of YAML 1.1 needs that.
  const text = stringify(value, { version: "1.1", blockQuote: false, lineWidth: 0 });
  return parseDocument(text, { schema: "failsafe" }).contents;
}

const nameOf = (key: unknown): unknown => (isScalar(key) ? key.value : key);

/** All comments in and around a pair, in their order. */
function commentsOf(node: unknown): readonly string[] {
  if (isPair(node)) return [...commentsOf(node.key), ...commentsOf(node.value)];
  if (!isNode(node)) return [];
  const within = isCollection(node) ? node.items.flatMap(commentsOf) : [];
  const after = isScalar(node) || isCollection(node) ? [node.comment] : [];
  return [node.commentBefore, ...within, ...after].filter((comment) => typeof comment === "string");
}

/** How a text is indented, as far as the library can follow it. */
function styleOf(text: string) {
  const [, indent = "  "] = /^( +)[^\s#-]/m.exec(text) ?? [];
  const lines = text.split("\n");
  const isFlush = lines.some((line, at) => {
    const [before = "", margin] = /^( *)[^ #-]/.exec(line) ?? [];
    const [key = ""] = line.split(/\s#/);
    return before !== "" && key.trimEnd().endsWith(":") && lines[at + 1]?.startsWith(`${margin}- `) === true;
  });
  const isPadded = !/\{[^\s{}]/.test(text);
  return { lineWidth: 0, indent: indent.length, indentSeq: !isFlush, flowCollectionPadding: isPadded };
}
