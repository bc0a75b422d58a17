import { isJsonObject, type JsonObject } from "../../../api/json.ts";
import { type LabelSelection, type Labels, matchesLabels } from "../../../api/labels/label-selector.ts";
import { metadataOf } from "../registry/object-meta.ts";
import type { AdmissionAttributes, ReviewedObjects } from "./admission-request.ts";
import type { Webhook } from "./webhook.ts";

/** Returns the labels of a namespace; `undefined` when there is no such namespace. */
export type NamespaceLabels = (name: string) => Labels;

/** Reports whether both selectors of a webhook select a request. */
export function selectsObjects(
  { namespaceSelection, objectSelection }: Pick<Webhook, "namespaceSelection" | "objectSelection">,
  request: AdmissionAttributes & ReviewedObjects,
  namespaceLabels: NamespaceLabels,
): boolean {
  return (
    selectsNamespace(namespaceSelection, request, namespaceLabels) &&
    (isEverything(objectSelection) ||
      selectsLabelsOf(objectSelection, request.object) ||
      selectsLabelsOf(objectSelection, request.oldObject))
  );
}

function isEverything(selection: LabelSelection): boolean {
  return selection.selects === "matching" && selection.requirements.length === 0;
}

/**
 * Reports whether the namespace of an object is selected; objects without a namespace always are, and a Namespace by
 * its own labels.
 */
function selectsNamespace(
  selection: LabelSelection,
  { namespace, resource, subresource, object }: AdmissionAttributes & ReviewedObjects,
  namespaceLabels: NamespaceLabels,
): boolean {
  if (isEverything(selection) || namespace === "") return true;
  const isOwn = resource.collection === "namespaces" && subresource === "" && object !== undefined;
  return matchesLabels(selection, isOwn ? metadataOf(object).labels : namespaceLabels(namespace));
}

function selectsLabelsOf(selection: LabelSelection, object: JsonObject | undefined): boolean {
  if (object === undefined || !isJsonObject(object["metadata"])) return false;
  return matchesLabels(selection, metadataOf(object).labels);
}
