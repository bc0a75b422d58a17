import {
  exactValue,
  type FieldSelector,
  matchesFields,
  parseFieldSelector,
} from "../../../api/field-selector.ts";
import { everything, type LabelSelection, matchesLabels } from "../../../api/labels/label-selector.ts";
import { parseLabelSelector } from "../../../api/labels/parse-label-selector.ts";
import { viewOf } from "../../store/record-view.ts";
import type {
  Collection,
  KeyRange,
  SubscriptionScope,
  StoredJson,
  StoreRecord,
  View,
} from "../../store/store.ts";
import type { ServedResource } from "../served-resource.ts";
import { badRequest } from "../status-errors.ts";
import { nodeNameIndex } from "../storage/store-indexes.ts";
import type { ApiRequest } from "./api-request.ts";

/** The objects that a list, watch or deletecollection selects. */
export interface Selection {
  /** The narrowest scope of the collection that holds all of them. */
  readonly scope: SubscriptionScope;
  /** Whether it selects every object of its namespace. */
  readonly selectsAll: boolean;
  /** Reports whether an object of the scope, given as the resource serves it, is selected. */
  matches(object: StoredJson): boolean;
}

/** Parses the selectors of a request; throws 400 for a malformed one, or one of an unsupported field. */
export function requestSelection({ resource, namespace, options }: ApiRequest): Selection {
  const labels = labelSelectionOf(options.labelSelector ?? "");
  const fields = fieldSelectorOf(resource, options.fieldSelector ?? "");
  const scope = scopeOf({ resource, namespace, fields });
  const hasLabels = labels.selects === "nothing" || labels.requirements.length > 0;
  const reader = resource.strategy.selectableFields;
  return {
    scope,
    selectsAll: !hasLabels && fields.length === 0,
    matches(object) {
      if (namespace !== undefined && object.metadata.namespace !== namespace) return false;
      if (hasLabels && !matchesLabels(labels, object.metadata.labels)) return false;
      return fields.length === 0 || matchesFields(fields, fieldReader(object, reader));
    },
  };
}

function labelSelectionOf(text: string): LabelSelection {
  if (text === "") return everything;
  const parsed = parseLabelSelector(text);
  if (!parsed.ok) throw badRequest(parsed.error);
  return parsed.selection;
}

function fieldSelectorOf(resource: ServedResource, text: string): FieldSelector {
  if (text === "") return [];
  const parsed = parseFieldSelector(text);
  if (!parsed.ok) throw badRequest(parsed.error);
  const known = resource.strategy.selectableFields?.({ metadata: {} });
  // upstream: kinds without field selectors of their own accept both names, whether or not they are namespaced
  const names = new Set(["metadata.name"]);
  if (resource.namespaced || known === undefined) names.add("metadata.namespace");
  for (const { field } of parsed.selector) {
    if (names.has(field) || known?.[field] !== undefined) continue;
    throw badRequest(unknownField(resource, field, known === undefined));
  }
  return parsed.selector;
}

function unknownField({ group, kind }: ServedResource, field: string, hasNoOthers: boolean): string {
  if (hasNoOthers)
    return `${JSON.stringify(field)} is not a known field selector: only "metadata.name", "metadata.namespace"`;
  return group === "batch"
    ? `field label ${JSON.stringify(field)} not supported for ${kind}`
    : `field label not supported: ${field}`;
}

function fieldReader(
  object: StoredJson,
  selectable: ServedResource["strategy"]["selectableFields"],
): (field: string) => string | undefined {
  let extra: Readonly<Record<string, string>> | undefined;
  return (field) => {
    if (field === "metadata.name") return object.metadata.name;
    if (field === "metadata.namespace") return object.metadata.namespace;
    extra ??= selectable?.(object) ?? {};
    return extra[field];
  };
}

interface ScopeRequest {
  readonly resource: ServedResource;
  readonly namespace: string | undefined;
  readonly fields: FieldSelector;
}

function scopeOf({ resource, namespace, fields }: ScopeRequest): SubscriptionScope {
  const exact = exactValue(fields, "metadata.name");
  const where = namespace ?? exactValue(fields, "metadata.namespace");
  if (exact !== undefined && !resource.namespaced) return { of: "key", key: exact };
  if (exact !== undefined && where !== undefined) return { of: "key", key: `${where}/${exact}` };
  const node = nodeOf(resource, fields);
  if (node !== undefined) return { of: "index", index: nodeNameIndex, value: node };
  return where === undefined ? { of: "all" } : { of: "namespace", namespace: where };
}

/** Returns the node name that a selector of Pods requires; not the empty one, since unassigned Pods are not indexed. */
function nodeOf(resource: ServedResource, fields: FieldSelector): string | undefined {
  if (resource.collection !== "pods") return undefined;
  return exactValue(fields, "spec.nodeName") || undefined;
}

/** Returns the records of a view within a selection's scope, in key order. */
export function recordsInScope(view: View, { scope }: Selection, range: KeyRange): Iterable<StoreRecord> {
  switch (scope.of) {
    case "key": {
      const record = view.get(scope.key);
      return viewOf(record === undefined ? [] : [record]).records(range);
    }
    case "index":
      // Only the newest state is indexed; in an older view every record is matched.
      return "byIndex" in view
        ? viewOf((view as Collection).byIndex(scope.index, scope.value)).records(range)
        : view.records(range);
    case "namespace":
      return view.records({ ...range, namespace: scope.namespace });
    case "all":
      return view.records(range);
  }
}
