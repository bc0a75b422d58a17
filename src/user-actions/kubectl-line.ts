import type { JsonObject } from "../api/json.ts";
import { unreachableAnnotation, zoneLabel } from "../api/well-known.ts";
import type { Patch } from "../machinery/client/client.ts";
import { imagePatch, templatePatch } from "./action-patch.ts";
import type { ActionNamed, ActionTarget, MetadataChanges, NodesTarget, UserAction } from "./user-action.ts";

/** The line of kubectl that does the same as an action; safe to paste into a shell whatever the names are. */
export function kubectlLine(action: UserAction): string {
  return `kubectl ${wordsOf(action).map(shellWord).join(" ")}${inputOf(action)}`;
}

function wordsOf(action: UserAction): readonly string[] {
  switch (action.action) {
    case "scale":
      return ["scale", ...objectWords(action), `--replicas=${action.replicas}`];
    case "set-image":
      return imageWords(action);
    case "set-template":
      return patchWords(action, templatePatch(action));
    case "restart":
    case "pause":
    case "resume":
      return ["rollout", action.action, ...objectWords(action)];
    case "undo":
      return ["rollout", "undo", ...objectWords(action), ...option("to-revision", action.toRevision)];
    case "cordon":
    case "uncordon":
      return [action.action, ...nodeWords(action)];
    case "drain":
      return ["drain", ...nodeWords(action), "--ignore-daemonsets", "--delete-emptydir-data", "--force"];
    case "fail":
      return annotateNodes(action, { [unreachableAnnotation]: "true" });
    case "restore":
      return annotateNodes(action, { [unreachableAnnotation]: null });
    case "evict":
      return ["create", "--raw", evictionPath(action), "-f", "-"];
    case "delete":
      return deleteWords(action);
    case "label":
      return ["label", ...objectWords(action), ...metadataWords(action.labels)];
    case "annotate":
      return ["annotate", ...objectWords(action), ...metadataWords(action.annotations)];
    case "patch":
      return [...patchWords(action, action.patch), ...option("subresource", action.subresource)];
    case "apply":
    case "create":
      return [action.action, "-f", "-"];
  }
}

/** What the command reads: the object, as one line of JSON in a here-document. */
function inputOf(action: UserAction): string {
  if (action.action === "apply" || action.action === "create") return hereDocument(action.manifest);
  if (action.action !== "evict") return "";
  const { namespace, name } = action;
  return hereDocument({ apiVersion: "policy/v1", kind: "Eviction", metadata: { namespace, name } });
}

// A line of JSON is never the word that ends the document.
const hereDocument = (object: JsonObject) => ` <<'EOF'\n${JSON.stringify(object)}\nEOF`;

function imageWords(action: ActionNamed<"set-image">): readonly string[] {
  const { container, image } = action;
  // `kubectl set image` takes the name of a container, or `*` for all of them.
  if (container === undefined) return patchWords(action, imagePatch(action));
  return ["set", "image", ...objectWords(action), `${container}=${image}`];
}

function deleteWords(action: ActionNamed<"delete">): readonly string[] {
  const { propagationPolicy, gracePeriodSeconds } = action;
  return [
    "delete",
    ...objectWords(action),
    ...option("cascade", propagationPolicy?.toLowerCase()),
    ...option("grace-period", gracePeriodSeconds),
    ...(gracePeriodSeconds === 0 ? ["--force"] : []),
  ];
}

function patchWords(target: ActionTarget, patch: Patch): readonly string[] {
  const body = patch.type === "json" ? patch.operations : patch.body;
  return ["patch", ...objectWords(target), `--type=${patch.type}`, "-p", JSON.stringify(body)];
}

function annotateNodes(target: NodesTarget, annotations: MetadataChanges): readonly string[] {
  const which = "node" in target ? ["node", target.node] : ["nodes", ...nodeWords(target)];
  return ["annotate", ...which, ...metadataWords(annotations)];
}

const nodeWords = (target: NodesTarget): readonly string[] =>
  "node" in target ? [target.node] : ["-l", `${zoneLabel}=${target.zone}`];

const objectWords = ({ kind, namespace, name }: ActionTarget): readonly string[] => [
  `${kind.toLowerCase()}/${name}`,
  ...(namespace === undefined ? [] : ["-n", namespace]),
];

function metadataWords(changes: MetadataChanges): readonly string[] {
  const words = Object.entries(changes).map(([name, value]) =>
    value === null ? `${name}-` : `${name}=${value}`,
  );
  return Object.values(changes).every((value) => value === null) ? words : [...words, "--overwrite"];
}

const option = (name: string, value: string | number | undefined): readonly string[] =>
  value === undefined ? [] : [`--${name}=${value}`];

const evictionPath = ({ namespace, name }: ActionNamed<"evict">) =>
  `/api/v1/namespaces/${encodeURIComponent(namespace)}/pods/${encodeURIComponent(name)}/eviction`;

/** A word as a POSIX shell reads it back. */
function shellWord(word: string): string {
  return /^[\w./:=,-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;
}
