import { closeSync, existsSync, openSync, readFileSync, realpathSync, rmSync, statSync } from "node:fs";
import path from "node:path";
import { type Document, isMap, isSeq, parseDocument, type YAMLMap, type YAMLSeq } from "yaml";
import { messageOf } from "../../api/message-of.ts";
import { makeFolder } from "../../cluster/make-folder.ts";
import { replaceFile } from "../../cluster/replace-file.ts";
import {
  contextName,
  type KubeconfigEntries,
  kubeconfigEntries,
  type KubeconfigValues,
} from "../../cluster/write-kubeconfig.ts";

/**
 * Adds the context, cluster and user of a running cluster to the user's own kubeconfig, where everything else stays; the
 * returned function removes them. Both throw one sentence when the file cannot be changed.
 */
export function mergeKubeconfig(file: string, values: KubeconfigValues): () => void {
  const { context = contextName } = values;
  const own: OwnEntries = { name: context, ...kubeconfigEntries(values) };
  const { before, after: added } = change(file, (text) => withEntries(text ?? "", own));
  return () => {
    change(file, (text) => {
      if (text === undefined) return undefined;
      if (text === added && !hasEntries(before ?? "", context)) return before;
      return withoutEntries(text, { values, name: context, context: currentContextIn(before ?? "") });
    });
  };
}

/** The entries of one cluster, all of the same name. */
interface OwnEntries extends KubeconfigEntries {
  readonly name: string;
}

type Change = (text: string | undefined) => string | undefined;

/** The text of a file, `undefined` where there is none, before and after a change. */
interface Changed {
  readonly before: string | undefined;
  readonly after: string | undefined;
}

function change(named: string, changed: Change): Changed {
  const file = existsSync(named) ? realpathSync(named) : named;
  try {
    makeFolder(path.dirname(file));
    return locked(file, () => {
      const before = textIn(file);
      const after = changed(before);
      if (after === undefined) rmSync(file, { force: true });
      else if (after !== before) replaceFile(file, after, modeOf(file));
      return { before, after };
    });
  } catch (error) {
    throw new Error(`cannot change the contexts in ${named}: ${messageOf(error)}`, { cause: error });
  }
}

/** Runs the work while it holds kubectl's lock file. */
function locked<T>(file: string, work: () => T): T {
  const lock = `${file}.lock`;
  try {
    closeSync(openSync(lock, "wx"));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    throw new Error(`another program is changing it (${lock} exists)`, { cause: error });
  }
  try {
    return work();
  } finally {
    rmSync(lock, { force: true });
  }
}

function textIn(file: string): string | undefined {
  return existsSync(file) ? readFileSync(file, "utf8") : undefined;
}

function modeOf(file: string): number {
  return existsSync(file) ? statSync(file).mode & 0o777 : 0o600;
}

const lists = ["clusters", "users", "contexts"] as const;

function withEntries(text: string, entries: OwnEntries): string {
  const document = read(text);
  refuseOthers(document, entries.name);
  for (const list of lists) {
    const sequence = listIn(document, list);
    removeOwn(sequence, entries.name);
    sequence.add(document.createNode(entries[list][0]));
  }
  return written(document, text);
}

/** Whether an earlier run has left its entries. */
function hasEntries(text: string, name: string): boolean {
  const document = read(text);
  return lists.some((list) => listIn(document, list).items.some((item) => isNamed(item, name)));
}

interface RemovedEntries {
  readonly values: KubeconfigValues;
  readonly name: string;
  /** The current context before the change. */
  readonly context: string | undefined;
}

/** Removes the entries of one run, if they are still there; a current context that goes becomes the earlier one. */
function withoutEntries(text: string, { values, name, context }: RemovedEntries): string {
  if (!text.includes(values.token)) return text; // a later run has replaced them, or the user has
  const document = read(text);
  for (const list of lists) removeOwn(listIn(document, list), name);
  if (document.get("current-context") === name) document.set("current-context", context ?? "");
  return written(document, text);
}

function read(text: string): Document {
  const document = parseDocument(text.trim() === "" ? "apiVersion: v1\nkind: Config\n" : text);
  const [problem] = document.errors;
  if (problem !== undefined) throw new Error(`it is not YAML: ${problem.message.split("\n")[0]}`);
  if (!isMap(document.contents)) throw new Error("it is not a kubeconfig");
  return document;
}

/** The text of a document, with lists indented as they were. */
function written(document: Document, before: string): string {
  return document.toString({ lineWidth: 0, indentSeq: !/^- /m.test(before), flowCollectionPadding: false });
}

function currentContextIn(text: string): string | undefined {
  const context = read(text).get("current-context");
  return typeof context === "string" ? context : undefined;
}

function listIn(document: Document, name: (typeof lists)[number]): YAMLSeq {
  const found = document.get(name);
  if (isSeq(found)) return found;
  if (found !== undefined && found !== null) throw new Error("it is not a kubeconfig");
  const made = document.createNode([]) as YAMLSeq;
  document.set(name, made);
  return made;
}

const isNamed = (item: unknown, name: string): item is YAMLMap => isMap(item) && item.get("name") === name;

function removeOwn(sequence: YAMLSeq, name: string): void {
  sequence.items = sequence.items.filter((item) => !isNamed(item, name));
}

/** Throws if a cluster of this name is on another machine: it was not added by this program. */
function refuseOthers(document: Document, name: string): void {
  for (const item of listIn(document, "clusters").items) {
    const server = isNamed(item, name) ? String(item.getIn(["cluster", "server"])) : "";
    if (server !== "" && !/^https:\/\/(127\.0\.0\.1|localhost|\[::1\]):/.test(server))
      throw new Error(`another cluster is named "${name}" there`);
  }
}
