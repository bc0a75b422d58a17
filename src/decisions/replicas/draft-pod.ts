import type { Pod } from "../../api/generated/core-v1.ts";
import { type Labels, type LabelSelection, matchesLabels } from "../../api/labels/label-selector.ts";
import { dns1123SubdomainProblems, generateNameProblems } from "../../api/names.ts";
import type { Draft } from "../../api/object.ts";
import { controllerReference } from "../../api/owner-references.ts";
import type { Resource } from "../../api/resource.ts";
import type { ReplicaOwner } from "./replica-owner.ts";

/** The Pod to create, or why none can be. */
export type PodDraft =
  | { readonly ok: true; readonly pod: Draft<Pod> }
  | { readonly ok: false; readonly problem: string };

export interface PodDraftOptions {
  readonly resource: Resource;
  readonly selection: LabelSelection;
}

/** Drafts a Pod from an owner's template; of its metadata only labels, annotations and finalizers are used. */
export function draftPod(owner: ReplicaOwner, { resource, selection }: PodDraftOptions): PodDraft {
  const { metadata, spec } = owner.spec?.template ?? {};
  const { labels, annotations, finalizers } = metadata ?? {};
  const problem = labelProblem(labels, selection);
  if (problem !== undefined) return { ok: false, problem: `unable to create pods, ${problem}` };
  const { namespace, name } = owner.metadata;
  const pod: Draft<Pod> = {
    apiVersion: "v1",
    kind: "Pod",
    metadata: {
      generateName: namePrefix(name),
      ...(namespace !== undefined && { namespace }),
      ...(labels !== undefined && { labels }),
      ...(annotations !== undefined && { annotations }),
      ...(finalizers !== undefined && { finalizers }),
      ownerReferences: [controllerReference(resource, owner)],
    },
    spec: spec ?? { containers: [] },
  };
  return { ok: true, pod };
}

function labelProblem(labels: Labels, selection: LabelSelection): string | undefined {
  if (Object.keys(labels ?? {}).length === 0) return "no labels";
  // Such a Pod would be released as soon as it is observed, and another one created in its place, without end.
  return matchesLabels(selection, labels) ? undefined : "the selector does not match the template's labels";
}

/** Appends a dash to the name, unless the name is too long for it. */
function namePrefix(name: string): string {
  const dashed = `${name}-`;
  return generateNameProblems(dashed, dns1123SubdomainProblems).length === 0 ? dashed : name;
}
