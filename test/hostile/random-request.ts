import type { JsonObject } from "../../src/api/json.ts";
import { apiVersionOf } from "../../src/api/resource.ts";
import type { ServedResource } from "../../src/cluster/apiserver/served-resource.ts";
import { oneOf, type Random, randomInt } from "../../src/machinery/random/random.ts";
import { randomObject } from "./random-object.ts";

const names = ["a", "b", "c"] as const;
const verbs = [
  "create",
  "create",
  "create",
  "update",
  "merge",
  "strategic",
  "json",
  "apply",
  "apply",
  "delete",
  "get",
] as const;

/** A request, and what it sends. */
export interface RandomRequest {
  readonly what: string;
  readonly body?: JsonObject | readonly JsonObject[] | undefined;
  readonly contentType?: string | undefined;
  /** The media types that are asked for; absent: JSON. */
  readonly accept?: string | undefined;
}

/** The answer to a request. */
interface Answer {
  readonly code: number;
  readonly body: JsonObject;
}

/** Returns the path of a resource's objects. */
export function collectionPath({ group, version, plural, namespaced }: ServedResource): string {
  const root = group === "" ? `/api/${version}` : `/apis/${group}/${version}`;
  return namespaced ? `${root}/namespaces/default/${plural}` : `${root}/${plural}`;
}

/** Creates more than it deletes, with few names, so that updates, patches and deletions meet objects. */
export function randomRequest(resource: ServedResource, random: Random): RandomRequest {
  const name = oneOf(names, random) ?? "";
  const path = collectionPath(resource);
  const body = named(
    randomObject(resource.schema.type, { random, wrong: oneOf([0, 0, 0, 0.03], random) ?? 0 }),
    name,
    random,
  );
  const verb = oneOf(verbs, random) ?? "create";
  const query = random.next() < 0.2 ? "?fieldValidation=Strict" : random.next() < 0.2 ? "?dryRun=All" : "";
  switch (verb) {
    case "update":
      return { what: `PUT ${path}/${name}${query}`, body };
    case "merge":
    case "strategic":
      return {
        what: `PATCH ${path}/${name}${query}`,
        body,
        contentType: `application/${verb === "merge" ? "" : "strategic-"}merge-patch+json`,
      };
    case "json":
      return {
        what: `PATCH ${path}/${name}${query}`,
        body: jsonPatch(body, random),
        contentType: "application/json-patch+json",
      };
    case "apply":
      return randomApply(resource, `${path}/${name}`, { body, random });
    case "delete":
      return { what: `DELETE ${path}/${name}` };
    case "get":
      return { what: `GET ${path}/${name}` };
    case "create":
      return { what: `POST ${path}${query}`, body };
  }
}

/** An apply by one of three managers, sometimes to a subresource, sometimes by force. */
function randomApply(
  resource: ServedResource,
  path: string,
  { body, random }: { readonly body: JsonObject; readonly random: Random },
): RandomRequest {
  const served = resource.subresources.map(({ name }) => `/${name}`);
  const wanted = oneOf(["", "", "", "/status", "/scale"], random) ?? "";
  const subresource = served.includes(wanted) ? wanted : "";
  const manager = oneOf(["one", "two", "three"], random) ?? "";
  const force = oneOf(["", "&force=true", "&force=true&dryRun=All"], random) ?? "";
  const isScale = subresource === "/scale";
  const head = isScale
    ? { apiVersion: "autoscaling/v1", kind: "Scale" }
    : { apiVersion: apiVersionOf(resource), kind: resource.kind };
  return {
    what: `PATCH ${path}${subresource}?fieldManager=${manager}${force}`,
    body: random.next() < 0.05 ? body : { ...body, ...head },
    contentType: "application/apply-patch+yaml",
  };
}

/** Mostly a valid name and no other kind: otherwise every object would be refused for these alone. */
function named(object: JsonObject, name: string, random: Random): JsonObject {
  if (random.next() < 0.1) return object;
  const { apiVersion: _apiVersion, kind: _kind, ...content } = object;
  return { ...content, metadata: { name, ...(random.next() < 0.3 ? { labels: { app: "web" } } : {}) } };
}

function jsonPatch(source: JsonObject, random: Random): readonly JsonObject[] {
  const paths = [
    "",
    "/metadata/labels",
    "/spec",
    "/metadata/name",
    "/spec/replicas",
    "/data/a",
    "/-",
    "/metadata/finalizers/-",
  ];
  return Array.from({ length: 1 + randomInt(random, 3) }, () => ({
    op: oneOf(["add", "replace", "remove", "test", "copy", "move", "nonsense"], random) ?? "add",
    path: oneOf(paths, random) ?? "",
    from: oneOf(paths, random) ?? "",
    value: oneOf([...Object.values(source), null, 1, "x", {}], random) ?? null,
  }));
}

/**
 * What upstream answers with 500 as well: a configuration that does not fit the schema, and the apply of a Scale of a custom object
 * whose replicas nobody manages.
 */
const known500 =
  /^(?:failed to create typed patch object |failed to create manager for existing fields: failed to convert live object \(\/; autoscaling\/v1, Kind=Scale\) )/;

/** Returns what is wrong about an answer: a failure of the server, or a refusal without a Status. */
export function problemWith({ code, body }: Answer): string | undefined {
  const message = typeof body["message"] === "string" ? body["message"] : "";
  if (code < 300 || (code === 500 && known500.test(message))) return undefined;
  if (code >= 500 && code !== 501) return `answered ${code}: ${JSON.stringify(body)}`;
  const isStatus = body["kind"] === "Status" && message !== "";
  return isStatus ? undefined : `no Status: ${JSON.stringify(body)}`;
}
