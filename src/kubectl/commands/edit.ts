import { mergeSchemaOf } from "../apply/merge-schema.ts";
import { threeWayPatch } from "../apply/three-way-patch.ts";
import { failure, notSupportedHere } from "../command-failure.ts";
import type { Context } from "../context.ts";
import type { KubectlCommand } from "../kubectl-command.ts";
import { fileFlags, outputFlags } from "../line/common-flags.ts";
import { goYaml } from "../output/go-yaml.ts";
import { objectPrinter } from "../output/object-printer.ts";
import { reportChange } from "../output/report-change.ts";
import { forEachSelected, type Item } from "../selection/fetch-objects.ts";
import type { KubeObject } from "../selection/kube-object.ts";
import { changedTargets } from "../selection/manifest-targets.ts";
import { manifestObjectsIn } from "../selection/read-manifests.ts";
import { patchObject, strategicOrMerge } from "../server/write-object.ts";

const advice = `# Please edit the object below. Lines beginning with a '#' will be ignored,
# and an empty file will abort the edit. If an error occurs while saving this file will be
# reopened with the relevant failures.
#
`;

/** `kubectl edit`, in the editor of the terminal. */
export const edit: KubectlCommand = {
  summary: "Edit a resource on the server",
  operands: "types-and-names",
  flags: { ...fileFlags, ...outputFlags, validate: { type: "string", implied: "strict" } },
  async run(context) {
    const printer = objectPrinter(context);
    const targets = await changedTargets(context);
    await forEachSelected(context, { targets }, async (item) => {
      const object = await editObject(context, item);
      if (object !== undefined) reportChange(context, object, { done: "edited", dryRun: "none", printer });
    });
  },
};

/** Resolves to the changed object; to nothing when the user changed nothing. */
async function editObject(context: Context, { resource, object }: Item): Promise<KubeObject | undefined> {
  if (context.io.edit === undefined) throw notSupportedHere("edit without an editor");
  const { managedFields: _, ...metadata } = object.metadata;
  const shown: KubeObject = { ...object, metadata };
  const text = advice + goYaml(shown);
  const edited = await context.io.edit(text);
  if (edited === text) {
    context.io.err("Edit cancelled, no changes made.\n");
    return undefined;
  }
  const [changed] = manifestObjectsIn(edited, "the edited file");
  if (changed === undefined) {
    context.io.err("Edit cancelled, saved file was empty.\n");
    return undefined;
  }
  const { metadata: meta } = changed as unknown as KubeObject;
  if (meta?.name !== metadata.name) throw failure("At least one of apiVersion, kind and name was changed");
  const type = strategicOrMerge(resource);
  const schema = type === "strategic" ? await mergeSchemaOf(context, resource) : undefined;
  const body = threeWayPatch({ original: shown, modified: changed, current: shown }, schema);
  return patchObject(context, { resource, object }, { type, body, manager: "kubectl-edit", dryRun: "none" });
}
