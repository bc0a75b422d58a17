import type { Context } from "../context.ts";
import { failure } from "../command-failure.ts";
import { selectingOf, targetsOf } from "./fetch-objects.ts";
import { readNamedManifests } from "./read-manifests.ts";
import type { Target } from "./targets.ts";

/** The objects that a command changes: those of `-f`, or those that its operands name. */
export async function changedTargets(
  context: Context,
  words: readonly string[] = context.operands,
): Promise<readonly Target[]> {
  if (context.list("filename").length > 0) {
    const manifests = await readNamedManifests(context);
    return manifests.map(({ resource, object: { metadata } }) => ({
      resource,
      name: metadata.name,
      ...(metadata.namespace !== undefined && { namespace: metadata.namespace }),
    }));
  }
  if (words.length === 0)
    throw failure(
      "You must provide one or more resources by argument or filename.\nExample resource specifications include:\n   '-f rsrc.yaml'\n   '--filename=rsrc.json'\n   '<resource> <name>'\n   '<resource>'",
    );
  return targetsOf(context, words, selectingOf(context, false));
}
