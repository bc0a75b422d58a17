import type { JsonObject } from "../api/json.ts";
import { formatTime, type Instant } from "../api/time.ts";
import { restartedAtAnnotation, unreachableAnnotation } from "../api/well-known.ts";
import type { Patch, WriteOptions } from "../machinery/client/client.ts";
import type { ActionNamed } from "./user-action.ts";

/** The actions that patch one object. */
export type ObjectPatchAction = ActionNamed<
  "scale" | "set-image" | "set-template" | "restart" | "pause" | "resume" | "label" | "annotate" | "patch"
>;

/** The actions that patch nodes. */
export type NodePatchAction = ActionNamed<"cordon" | "uncordon" | "drain" | "fail" | "restore">;

/** A patch, and what kubectl says of an object that was patched. */
export interface ActionPatch {
  readonly patch: Patch & Pick<WriteOptions, "subresource">;
  readonly done: string;
}

/** The patch that carries an action out. */
export function objectPatch(action: ObjectPatchAction, now: Instant): ActionPatch {
  switch (action.action) {
    case "scale":
      return {
        patch: { ...merge({ spec: { replicas: action.replicas } }), subresource: "scale" },
        done: "scaled",
      };
    case "set-image":
      return { patch: imagePatch(action), done: "image updated" };
    case "set-template":
      return { patch: templatePatch(action), done: "template set" };
    case "restart": {
      const annotations = { [restartedAtAnnotation]: formatTime(now) };
      return { patch: merge({ spec: { template: { metadata: { annotations } } } }), done: "restarted" };
    }
    case "pause":
      return { patch: merge({ spec: { paused: true } }), done: "paused" };
    case "resume":
      return { patch: merge({ spec: { paused: null } }), done: "resumed" };
    case "label":
      return { patch: merge({ metadata: { labels: action.labels } }), done: "labeled" };
    case "annotate":
      return { patch: merge({ metadata: { annotations: action.annotations } }), done: "annotated" };
    case "patch":
      return { patch: { ...action.patch, subresource: action.subresource }, done: "patched" };
  }
}

/** The patch of each node that an action concerns; of a drain, its first part. */
export function nodePatch({ action }: NodePatchAction): ActionPatch {
  switch (action) {
    case "cordon":
    case "drain":
      return { patch: merge({ spec: { unschedulable: true } }), done: "cordoned" };
    case "uncordon":
      return { patch: merge({ spec: { unschedulable: null } }), done: "uncordoned" };
    case "fail":
      return { patch: unreachable("true"), done: "annotated" };
    case "restore":
      return { patch: unreachable(null), done: "annotated" };
  }
}

/** Replaces the Pod template; a merge would keep what the new one does not have. */
export function templatePatch({ template }: ActionNamed<"set-template">): Patch {
  return { type: "json", operations: [{ op: "replace", path: "/spec/template", value: template }] };
}

/** Sets the image of the named container, or of the first one, whatever it is called. */
export function imagePatch({ container, image }: ActionNamed<"set-image">): Patch {
  if (container !== undefined)
    return {
      type: "strategic",
      body: { spec: { template: { spec: { containers: [{ name: container, image }] } } } },
    };
  const path = "/spec/template/spec/containers/0/image";
  return { type: "json", operations: [{ op: "replace", path, value: image }] };
}

const merge = (body: JsonObject) => ({ type: "merge", body }) as const;

const unreachable = (value: "true" | null) =>
  merge({ metadata: { annotations: { [unreachableAnnotation]: value } } });
