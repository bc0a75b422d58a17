import { expect, test } from "vitest";
import type { JsonObject } from "../../src/api/json.ts";
import { apiVersionOf } from "../../src/api/resource.ts";
import {
  type ResponseSummary,
  startTestApiServer,
  type TestApiServer,
} from "../../src/cluster/apiserver/api-server-fixture.contract.ts";
import { isUnsupportedKind } from "../../src/cluster/apiserver/discovery/listed-resource.ts";
import type { ServedResource } from "../../src/cluster/apiserver/served-resource.ts";
import { oneOf, type Random, randomInt, seededRandom } from "../../src/machinery/random/random.ts";
import { perTier } from "../tier.ts";
import { randomObject } from "./random-object.ts";

const { server } = await startTestApiServer();
const resources = server.kinds.all.filter(({ verbs }) => verbs.includes("create"));
const requestsPerResource = Math.ceil(perTier({ unit: 2500, full: 75_000 }) / resources.length);
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

test.for(
  resources.map(
    (resource) => [`${resource.group || "core"}/${resource.version} ${resource.plural}`, resource] as const,
  ),
)(
  "whatever is sent to %s, the answer is a Status or an object, never a failure of the server",
  async ([, resource]) => {
    const random = seededRandom(`${resource.group}/${resource.version}/${resource.plural}`);
    const api = await startTestApiServer();
    for (let sent = 0; sent < requestsPerResource; sent++) {
      const request = randomRequest(resource, random);
      const answer = await send(api, request);
      expect(problemWith(answer), `${request.what} ${JSON.stringify(request.body)}`).toBeUndefined();
    }
    // What was accepted can be listed, and does not keep the next object out.
    const listed = resource.verbs.includes("list") ? 200 : 405;
    const isMissing = isUnsupportedKind(resource);
    expect((await api.request(`GET ${collectionPath(resource)}`)).code).toBe(isMissing ? 404 : listed);
    expect(Object.keys(Object.prototype)).toEqual([]);
  },
);

interface RandomRequest {
  readonly what: string;
  readonly body?: JsonObject | readonly JsonObject[] | undefined;
  readonly contentType?: string | undefined;
}

function collectionPath({ group, version, plural, namespaced }: ServedResource): string {
  const root = group === "" ? `/api/${version}` : `/apis/${group}/${version}`;
  return namespaced ? `${root}/namespaces/default/${plural}` : `${root}/${plural}`;
}

/** Creates more than it deletes, with few names, so that updates, patches and deletions meet objects. */
function randomRequest(resource: ServedResource, random: Random): RandomRequest {
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

async function send(
  api: TestApiServer,
  { what, body, contentType }: RandomRequest,
): Promise<ResponseSummary> {
  return api.request(what, body, contentType ?? "application/json");
}

/** What upstream answers with 500 as well: a configuration that does not fit the schema. */
const untyped = /^"failed to create typed patch object /;

function problemWith({ code, body }: ResponseSummary): string | undefined {
  if (code < 300 || (code === 500 && untyped.test(JSON.stringify(body["message"])))) return undefined;
  if (code >= 500 && code !== 501) return `answered ${code}: ${JSON.stringify(body)}`;
  const isStatus = body["kind"] === "Status" && typeof body["message"] === "string" && body["message"] !== "";
  return isStatus ? undefined : `no Status: ${JSON.stringify(body)}`;
}
