import { isJsonObject, type Json, type JsonObject } from "../../src/api/json.ts";
import { oneOf, type Random } from "../../src/machinery/random/random.ts";
import {
  definedPlurals,
  extensionTemplates,
  floodGroup,
  type ObjectTemplate,
  remoteGroup,
  textsOfField,
} from "./extension-templates.ts";
import type { RandomRequest } from "./random-request.ts";

const oddValues: readonly Json[] = [
  null,
  true,
  "",
  "x",
  "__proto__",
  "\ud800",
  "x".repeat(300),
  0,
  -1,
  1.5,
  2_147_483_648,
  1e300,
  [],
  [null],
  {},
  { a: { b: [] } },
  { type: "object", properties: { a: { $ref: "#/a" } } },
];
const oddKeys = [
  "a",
  "b",
  "__proto__",
  "constructor",
  "default",
  "enum",
  "not",
  "x-kubernetes-embedded-resource",
];
const patchTypes = ["merge-patch+json", "strategic-merge-patch+json", "apply-patch+yaml", "json-patch+json"];
const verbs = ["POST", "POST", "POST", "PUT", "PATCH", "PATCH", "PATCH", "GET", "DELETE"] as const;
const queries = ["", "", "", "?dryRun=All", "?fieldValidation=Strict", "?fieldManager=other"];
const reads = [
  "?fieldSelector=spec.a%3Dx",
  "?fieldSelector=metadata.name%3Da",
  "?labelSelector=app%20in%20(web)&limit=1",
  "?limit=1&resourceVersion=0&resourceVersionMatch=NotOlderThan",
  "",
];
const table = "application/json;as=Table;v=v1;g=meta.k8s.io,application/json";

/** A request about kinds that others define, extension API servers and volumes: mostly well-formed, in places absurd. */
export function randomExtensionRequest(random: Random): RandomRequest {
  const template = oneOf(extensionTemplates, random);
  if (template === undefined || random.next() < 0.2) return randomRead(random);
  const share = (oneOf([0, 0.01, 0.03, 0.1], random) ?? 0) / (template.isBasis === true ? 5 : 1);
  const body = perturbed(template.object, { random, share });
  const verb = oneOf(verbs, random) ?? "GET";
  const query = oneOf(queries, random) ?? "";
  const object = `${template.collection}/${template.name}`;
  switch (verb) {
    case "POST":
      return { what: `POST ${template.collection}${query}`, body };
    case "PUT":
      return { what: `PUT ${object}${subresourceOf(template, random)}${query}`, body };
    case "PATCH":
      return randomPatch(`${object}${subresourceOf(template, random)}`, body, random);
    case "DELETE":
      return { what: `${template.isBasis === true && random.next() < 0.8 ? "GET" : verb} ${object}` };
    case "GET":
      return { what: `GET ${object}` };
  }
}

/** Whether an answer is what a kind that is not defined, or an extension API server that is not there, comes to. */
export function isOfExtension(
  what: string,
  { code, text }: { readonly code: number; readonly text: string },
) {
  if (code === 404 && text.startsWith("404 page not found")) return true;
  return code === 503 && what.includes(`/apis/${remoteGroup}/`);
}

function subresourceOf({ subresources }: ObjectTemplate, random: Random): string {
  return oneOf(subresources, random) ?? "";
}

function randomPatch(path: string, body: JsonObject, random: Random): RandomRequest {
  const type = oneOf(patchTypes, random) ?? "merge-patch+json";
  const contentType = `application/${type}`;
  if (type === "apply-patch+yaml")
    return {
      what: `PATCH ${path}?fieldManager=${oneOf(["one", "two"], random)}&force=true`,
      body,
      contentType,
    };
  if (type !== "json-patch+json") return { what: `PATCH ${path}`, body, contentType };
  const [member = "spec", value = null] = oneOf(Object.entries(body), random) ?? [];
  const op = oneOf(["add", "replace", "remove", "test"], random) ?? "add";
  return { what: `PATCH ${path}`, body: [{ op, path: `/${member}`, value }], contentType };
}

function randomRead(random: Random): RandomRequest {
  const version = oneOf(["v1", "v2", "v3"], random);
  const plural = oneOf([...definedPlurals, "ds"], random);
  const paths = [
    `/apis/${floodGroup}/${version}/namespaces/default/${plural}${oneOf(reads, random)}`,
    `/apis/${floodGroup}/${version}/${plural}${oneOf(reads, random)}`,
    `/apis/${floodGroup}/${version}`,
    `/openapi/v3/apis/${floodGroup}/${version}`,
    `/apis/${remoteGroup}/v1/things`,
    "/apis",
  ];
  return { what: `GET ${oneOf(paths, random)}`, ...(random.next() < 0.5 && { accept: table }) };
}

interface Perturbing {
  readonly random: Random;
  /** The share of the values that become others. */
  readonly share: number;
}

/** Returns an object with some values replaced, left out or added. */
function perturbed(object: JsonObject, { random, share }: Perturbing): JsonObject {
  const entries = Object.entries(object).flatMap(([key, value = null]): (readonly [string, Json])[] => {
    if (random.next() >= share) return [[key, inside(value, { random, share })]];
    const other = oneOf(textsOfField[key] ?? oddValues, random) ?? null;
    return (
      oneOf([[[key, other]], [[key, other]], [], [[oneOf(oddKeys, random) ?? "a", value]]], random) ?? []
    );
  });
  return Object.fromEntries(entries);
}

function inside(value: Json, perturbing: Perturbing): Json {
  if (isJsonObject(value)) return perturbed(value, perturbing);
  if (!Array.isArray(value)) return value;
  const { random, share } = perturbing;
  const members = (value as readonly Json[]).map((each) => inside(each, perturbing));
  return random.next() < share ? [...members, ...members, oneOf(oddValues, random) ?? null] : members;
}
