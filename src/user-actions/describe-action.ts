import type { JsonObject } from "../api/json.ts";
import type { ActionTarget, MetadataChanges, NodesTarget, UserAction } from "./user-action.ts";

/** What an action does, as an instruction: `scale deployment/web to 3`. */
export function describeAction(action: UserAction): string {
  return phraseOf(action).instruction;
}

/** The action as the end of a sentence that begins with "What if": `deployment/web is scaled to 3`. */
export function describeSupposition(action: UserAction): string {
  return phraseOf(action).supposition;
}

interface Phrase {
  readonly instruction: string;
  readonly supposition: string;
}

function phraseOf(action: UserAction): Phrase {
  switch (action.action) {
    case "scale":
      return done(["scale", "scaled"], action, ` to ${action.replicas}`);
    case "set-image": {
      const of = action.container === undefined ? "" : `container ${action.container} of `;
      return {
        instruction: `set the image of ${of}${placedTitle(action)} to ${action.image}`,
        supposition: `${of}${titleOf(action)} gets the image ${action.image}`,
      };
    }
    case "set-template":
      return {
        instruction: `set the template of ${placedTitle(action)}`,
        supposition: `${titleOf(action)} gets another template`,
      };
    case "undo":
      return done(
        ["roll back", "rolled back"],
        action,
        action.toRevision === undefined ? "" : ` to revision ${action.toRevision}`,
      );
    case "restart":
    case "pause":
    case "resume":
    case "cordon":
    case "uncordon":
    case "drain":
      return done([action.action, participles[action.action]], action);
    case "fail":
      return same(`${nodesTitle(action)} fails`);
    case "restore":
      return same(`${nodesTitle(action)} returns`);
    case "evict":
      return done(["evict", "evicted"], { kind: "Pod", ...action });
    case "delete":
      return done(["delete", "deleted"], action);
    case "label":
      return done(["label", "labelled"], action, `: ${changesText(action.labels)}`);
    case "annotate":
      return done(["annotate", "annotated"], action, `: ${changesText(action.annotations)}`);
    case "patch":
      return done(["patch", "patched"], action);
    case "apply":
      return manifestPhrase(["apply", "applied"], action.manifest);
    case "create":
      return manifestPhrase(["create", "created"], action.manifest);
  }
}

const participles = {
  restart: "restarted",
  pause: "paused",
  resume: "resumed",
  cordon: "cordoned",
  uncordon: "uncordoned",
  drain: "drained",
} as const;

/** A verb and its participle. */
type Verb = readonly [instruction: string, participle: string];

function done([verb, participle]: Verb, target: ActionTarget | NodesTarget, more = ""): Phrase {
  const isNodes = "node" in target || "zone" in target;
  const [placed, title] = isNodes
    ? [nodesTitle(target), nodesTitle(target)]
    : [placedTitle(target), target.kind === "Pod" ? `Pod ${target.name}` : titleOf(target)];
  return { instruction: `${verb} ${placed}${more}`, supposition: `${title} is ${participle}${more}` };
}

const same = (text: string): Phrase => ({ instruction: text, supposition: text });

function manifestPhrase([verb, participle]: Verb, manifest: JsonObject): Phrase {
  const name = manifestName(manifest);
  return { instruction: `${verb} ${name}`, supposition: `${name} is ${participle}` };
}

/** `Deployment default/web`. */
export function manifestName(manifest: JsonObject): string {
  const { kind, metadata } = manifest as {
    readonly kind: string;
    readonly metadata?: {
      readonly namespace?: string;
      readonly name?: string;
      readonly generateName?: string;
    };
  };
  const { name = `${metadata?.generateName ?? ""}*`, namespace } = metadata ?? {};
  return `${kind} ${namespace === undefined ? name : `${namespace}/${name}`}`;
}

/** `deployment/web`. */
export function titleOf({ kind, name }: Pick<ActionTarget, "kind" | "name">): string {
  return `${kind.toLowerCase()}/${name}`;
}

function placedTitle(target: ActionTarget): string {
  return `${titleOf(target)}${namespaceSuffix(target.namespace)}`;
}

/** ` in namespace shop`; empty for the default namespace. */
export function namespaceSuffix(namespace: string | undefined): string {
  return namespace === undefined || namespace === "default" ? "" : ` in namespace ${namespace}`;
}

/** `node-1`, or `zone eu-1` where the name does not say what it is. */
function nodesTitle(target: NodesTarget): string {
  const [what, name] = "node" in target ? ["node", target.node] : ["zone", target.zone];
  return name.toLowerCase().includes(what) ? name : `${what} ${name}`;
}

/** `app=web, old-`, as kubectl has it. */
export function changesText(changes: MetadataChanges): string {
  return Object.entries(changes)
    .map(([name, value]) => (value === null ? `${name}-` : `${name}=${value}`))
    .join(", ");
}
