import type { JsonObject } from "../../../api/json.ts";
import { apiVersionOf } from "../../../api/resource.ts";
import { bodyType } from "../../../api/schema/table.ts";
import type { KindSchema } from "../schema/kind-schema.ts";
import type { ListedResource, ListedSubresource } from "../discovery/listed-resource.ts";
import { type GroupVersionKind, parseGroupVersionKind } from "./group-version-kinds.ts";
import { type OperationFacts, pathParameter, renderOperation } from "./operations.ts";

/** The paths of a resource, and the types their bodies have. */
interface RenderedPaths {
  readonly paths: JsonObject;
  readonly types: readonly string[];
}

interface Route {
  readonly path: string;
  readonly operations: readonly Operation[];
}

/** An operation under its HTTP method. */
interface Operation extends OperationFacts {
  readonly method: "get" | "post" | "put" | "patch" | "delete";
}

/** Renders the paths of one resource and of its subresources. */
export function renderPaths(resource: DocumentedResource): RenderedPaths {
  const routes = [...collectionRoutes(resource), ...objectRoutes(resource)].filter(
    ({ operations }) => operations.length > 0,
  );
  const operations = routes.flatMap((route) => route.operations);
  return {
    paths: Object.fromEntries(routes.map((route) => [route.path, renderRoute(route, resource.isCustom)])),
    types: operations.flatMap(({ request, response }) => (request ? [request, response] : [response])),
  };
}

function renderRoute({ path, operations }: Route, isCustom: boolean | undefined): JsonObject {
  const parameters = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => pathParameter(name));
  const rendered = operations.map(
    (operation) => [operation.method, renderOperation({ ...operation, isCustom })] as const,
  );
  return { ...(parameters.length > 0 && { parameters }), ...Object.fromEntries(rendered) };
}

function rootOf({ group, version }: DocumentedResource): string {
  return group === "" ? `/api/${version}` : `/apis/${group}/${version}`;
}

function collectionPath(resource: DocumentedResource): string {
  const scope = resource.namespaced ? "/namespaces/{namespace}" : "";
  return `${rootOf(resource)}${scope}/${resource.plural}`;
}

function collectionRoutes(resource: DocumentedResource): readonly Route[] {
  const { type } = resource.schema;
  const list = listTypeOf(resource);
  const offer = offers(resource.verbs, { kind: kindOf(resource), id: operationName(resource) });
  const listing = offer("list", { method: "get", action: "list", response: list });
  const routes = [
    {
      path: collectionPath(resource),
      operations: [
        ...listing,
        ...offer("create", { method: "post", action: "post", request: type, response: type }),
        ...offer("deletecollection", {
          method: "delete",
          action: "deletecollection",
          request: "meta.v1.DeleteOptions",
          response: "meta.v1.Status",
        }),
      ],
    },
  ];
  const acrossNamespaces = listing.map((each) => ({ ...each, id: `${each.id}ForAllNamespaces` }));
  return resource.namespaced
    ? [...routes, { path: `${rootOf(resource)}/${resource.plural}`, operations: acrossNamespaces }]
    : routes;
}

function listTypeOf(resource: DocumentedResource): string {
  const { type, definitions } = resource.schema;
  const { listKind = `${resource.kind}List` } = resource;
  const listType = type.slice(0, type.lastIndexOf(".") + 1) + listKind;
  if (definitions?.has(listType) === true) return listType;
  return bodyType(apiVersionOf(resource), listKind) ?? type;
}

function objectRoutes(resource: DocumentedResource): readonly Route[] {
  const path = `${collectionPath(resource)}/{name}`;
  const own = { kind: kindOf(resource), id: operationName(resource) };
  const removal = offers(resource.verbs, own)("delete", {
    method: "delete",
    action: "delete",
    request: "meta.v1.DeleteOptions",
    response: "meta.v1.Status",
  });
  const operations = [
    ...readAndWrite({ ...own, verbs: resource.verbs, type: resource.schema.type }),
    ...removal,
  ];
  const parts = (resource.subresources ?? []).filter(hasBody).map((subresource): Route => {
    const kind = parseGroupVersionKind(subresource.kind);
    const id = `${own.id}${capitalized(subresource.name)}`;
    const type = bodyType(apiVersionOf(kind), kind.kind) ?? "meta.v1.Status";
    const { verbs } = subresource;
    const creation = offers(verbs, { kind, id })("create", {
      method: "post",
      action: "post",
      request: type,
      response: type,
    });
    return {
      path: `${path}/${subresource.name}`,
      operations: [...creation, ...readAndWrite({ kind, id, verbs, type })],
    };
  });
  return [{ path, operations }, ...parts];
}

interface Subject {
  readonly kind: GroupVersionKind;
  readonly id: string;
}

function readAndWrite(part: Subject & { readonly verbs: readonly string[]; readonly type: string }) {
  const offer = offers(part.verbs, part);
  const response = part.type;
  return [
    ...offer("get", { method: "get", action: "get", response }),
    ...offer("update", { method: "put", action: "put", request: response, response }),
    ...offer("patch", { method: "patch", action: "patch", request: "meta.v1.Patch", response }),
  ];
}

/** Returns a function that makes operations for the supported verbs, and nothing for the others. */
function offers(verbs: readonly string[], { kind, id }: Subject) {
  return (verb: string, facts: Omit<Operation, "kind" | "id">): readonly Operation[] =>
    verbs.includes(verb) ? [{ ...facts, kind, id: `${verb}${id}` }] : [];
}

// Logs are text, and streams (exec, proxy, …) have no body to describe.
function hasBody({ name, kind }: ListedSubresource): boolean {
  return name !== "log" && !kind.endsWith("Options");
}

function kindOf({ group, version, kind }: DocumentedResource): GroupVersionKind {
  return { group, version, kind };
}

function operationName({ group, version, kind }: DocumentedResource): string {
  const [name = ""] = group.split(".");
  return `${name === "" ? "Core" : capitalized(name)}${capitalized(version)}${kind}`;
}

function capitalized(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}

/** A resource with the schema of its objects. */
export interface DocumentedResource extends ListedResource {
  readonly listKind?: string;
  readonly schema: Pick<KindSchema, "type" | "definitions">;
}
