import { duplicate, type FieldError, invalid, notFound } from "../../api/field-error.ts";
import { isJsonObject, type JsonObject } from "../../api/json.ts";
import { nearestName } from "../../api/nearest-name.ts";
import { keyOf } from "../../api/object.ts";
import { kindByName } from "../../api/schema/table.ts";
import { loadAnnotation, readAnnotatedLoad } from "../../cluster/simulated-metrics/annotated-load.ts";
import { clusterResources, collectionNames } from "../../decisions/explain/cluster-objects.ts";
import { findObject, type NamedObject } from "./find-resource.ts";
import type { LoadDocument, ScenarioDocument } from "./scenario-document.ts";

/** What the schema of a load cannot say: that its object is there, and has no other. */
export function checkLoad(scenario: ScenarioDocument): readonly FieldError[] {
  const { load = [] } = scenario;
  const known = objectsAtTheBeginning(scenario);
  const seen = new Set<string>();
  return load.flatMap((entry, index) => {
    const id = objectId(entry);
    const errors = objectErrors({ entry, id, path: `load[${index}]` }, seen, known);
    if (id !== undefined) seen.add(id);
    return errors;
  });
}

interface Entry {
  readonly entry: Partial<LoadDocument>;
  readonly id: string | undefined;
  readonly path: string;
}

function objectErrors(
  { entry: { object = "", namespace = "default" }, id, path }: Entry,
  seen: ReadonlySet<string>,
  known: ReadonlySet<string>,
): readonly FieldError[] {
  if (object === "") return [];
  const field = `${path}.object`;
  const found = findObject(object);
  if (typeof found === "string") return [invalid(field, object, found)];
  if (id === undefined || known.has(id))
    return id !== undefined && seen.has(id) ? [duplicate(field, object)] : [];
  return [notFound(field, object, `no manifest has it${hintFor({ ...found, namespace }, known)}`)];
}

/** In which other namespace the object is, or which one of the same namespace was meant. */
function hintFor(
  { resource: { kind, namespaced }, name, namespace }: NamedObject & { readonly namespace: string },
  known: ReadonlySet<string>,
): string {
  const places = [...known].flatMap((id) => (id.startsWith(`${kind} `) ? [placeOf(id)] : []));
  const elsewhere = places.find((place) => place.name === name);
  if (elsewhere !== undefined) return `; it is in namespace ${elsewhere.namespace}`;
  const meant = nearestName(
    name,
    places.flatMap((place) => (!namespaced || place.namespace === namespace ? [place.name] : [])),
  );
  return meant === undefined
    ? "; an object that an event creates gets its load by an event, too"
    : `; did you mean ${kind.toLowerCase()}/${meant}?`;
}

/** The parts of an id after its kind; the namespace is empty where the kind has none. */
function placeOf(id: string): { readonly namespace: string; readonly name: string } {
  const key = id.slice(id.indexOf(" ") + 1);
  const end = key.indexOf("/");
  return { namespace: key.slice(0, Math.max(0, end)), name: key.slice(end + 1) };
}

/** `Deployment default/web`, or `Node node-1` without a namespace; undefined where there is no such kind. */
function objectId({ object = "", namespace = "default" }: Partial<LoadDocument>): string | undefined {
  const found = findObject(object);
  if (typeof found === "string") return undefined;
  const { resource, name } = found;
  return `${resource.kind} ${resource.namespaced ? `${namespace}/` : ""}${name}`;
}

function objectsAtTheBeginning({ manifests, snapshot }: ScenarioDocument): ReadonlySet<string> {
  const taken = snapshot?.objects;
  return new Set([
    ...manifests.map(manifestId),
    ...(taken === undefined
      ? []
      : collectionNames.flatMap((name) =>
          taken[name].map((each) => `${clusterResources[name].kind} ${keyOf(each)}`),
        )),
  ]);
}

function manifestId({ apiVersion, kind, metadata }: JsonObject): string {
  const { namespace = "default", name } = isJsonObject(metadata) ? metadata : {};
  const known = typeof apiVersion === "string" && typeof kind === "string" && kindByName(apiVersion, kind);
  const place = known && !known.namespaced ? [] : [namespace, "/"];
  return [kind, " ", ...place, name].filter((part) => typeof part === "string").join("");
}

/** What is wrong with the load that a manifest, or its Pod template, is annotated with. */
export function annotatedLoadErrors(manifest: JsonObject, path: string): readonly FieldError[] {
  const template = isJsonObject(manifest["spec"]) ? manifest["spec"]["template"] : undefined;
  return [
    ...annotationErrors(manifest, path),
    ...(isJsonObject(template) ? annotationErrors(template, `${path}.spec.template`) : []),
  ];
}

function annotationErrors({ metadata }: JsonObject, path: string): readonly FieldError[] {
  const annotations = isJsonObject(metadata) ? metadata["annotations"] : undefined;
  const text = isJsonObject(annotations) ? annotations[loadAnnotation] : undefined;
  if (typeof text !== "string") return [];
  const read = readAnnotatedLoad(text);
  return "problem" in read
    ? [invalid(`${path}.metadata.annotations.${loadAnnotation}`, undefined, read.problem)]
    : [];
}
