import { ifFound } from "../../machinery/client/api-error.ts";
import { isJsonObject, type Json, type JsonObject } from "../../api/json.ts";
import { lastAppliedAnnotation } from "../../api/well-known.ts";
import { lastAppliedOf, withLastAppliedAnnotation } from "./last-applied.ts";
import type { Context } from "../context.ts";
import type { DryRunMode } from "../line/dry-run.ts";
import { at, type KubeObject, listAt, textAt } from "../selection/kube-object.ts";
import type { ManifestObject } from "../selection/read-manifests.ts";
import { resourcePath } from "../server/discovery.ts";
import { patchObject } from "../server/write-object.ts";

const clientSide = "kubectl-client-side-apply";

/** Applies an object on the server, as the owner of what was applied from here before. */
export async function applyOnServer(
  context: Context,
  manifest: ManifestObject,
  dryRun: DryRunMode,
): Promise<KubeObject> {
  const { resource, object } = manifest;
  const { name, namespace } = object.metadata;
  const path = resourcePath(resource, { namespace, name });
  const live = await ifFound(context.server.get(path));
  const manager = context.text("field-manager") === "" ? "kubectl" : context.text("field-manager");
  const entries =
    live === undefined ? undefined : migrated(listAt(live, "metadata", "managedFields"), manager);
  if (entries !== undefined && dryRun === "none")
    await patchObject(context, manifest, {
      type: "json",
      body: [
        { op: "replace", path: "/metadata/managedFields", value: entries },
        {
          op: "replace",
          path: "/metadata/resourceVersion",
          value: textAt(live, "metadata", "resourceVersion"),
        },
      ],
      manager,
      dryRun,
    });
  const query = { force: context.isOn("force-conflicts") };
  const applied = await patchObject(context, manifest, {
    type: "apply",
    body: object,
    manager,
    dryRun,
    query,
  });
  if (live === undefined || dryRun !== "none" || lastAppliedOf(live) === undefined) return applied;
  return saveLastApplied(context, manifest);
}

/** Says on the object what was applied, for those who apply it from their side later. */
function saveLastApplied(context: Context, manifest: ManifestObject): Promise<KubeObject> {
  const { apiVersion, kind, metadata } = manifest.object;
  const text = withLastAppliedAnnotation(manifest.object).metadata.annotations?.[lastAppliedAnnotation] ?? "";
  const { name, namespace } = metadata;
  const body = {
    apiVersion,
    kind,
    metadata: { name, namespace, annotations: { [lastAppliedAnnotation]: text } },
  };
  const query = { force: true, fieldManager: "kubectl-last-applied" };
  return patchObject(context, manifest, {
    type: "apply",
    body,
    manager: "kubectl-last-applied",
    dryRun: "none",
    query,
  });
}

/** The entries with those of client-side apply made over to the manager of server-side apply; nothing where there are none. */
function migrated(entries: readonly JsonObject[], manager: string): readonly JsonObject[] | undefined {
  const isOld = (entry: JsonObject) => entry["manager"] === clientSide && entry["operation"] === "Update";
  const old = entries.filter(isOld);
  if (old.length === 0) return undefined;
  const isOwn = (entry: JsonObject) => entry["manager"] === manager && entry["operation"] === "Apply";
  const own = entries.find(isOwn);
  const first = own ?? { ...old[0], manager, operation: "Apply" };
  const fieldsV1 = old.reduce<Json>(
    (fields, entry) => union(fields, entry["fieldsV1"] ?? {}),
    first["fieldsV1"] ?? {},
  );
  return [
    { ...first, fieldsV1: withoutLastApplied(fieldsV1) },
    ...entries.filter((entry) => !isOld(entry) && entry !== own),
  ];
}

/** Fields without the annotation, which server-side apply has not. */
function withoutLastApplied(fields: Json): Json {
  const annotations = at(fields, "f:metadata", "f:annotations");
  if (!isJsonObject(fields) || !isJsonObject(annotations)) return fields;
  const { [`f:${lastAppliedAnnotation}`]: _, ...kept } = annotations;
  return { ...fields, "f:metadata": { ...(fields["f:metadata"] as JsonObject), "f:annotations": kept } };
}

function union(one: Json, other: Json): Json {
  if (!isJsonObject(one) || !isJsonObject(other)) return one;
  const keys = new Set([...Object.keys(one), ...Object.keys(other)]);
  return Object.fromEntries([...keys].map((key) => [key, union(one[key] ?? {}, other[key] ?? {})]));
}
