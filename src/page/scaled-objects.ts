import type {
  CustomResourceDefinition,
  CustomResourceSubresourceScale,
} from "../api/generated/apiextensions-v1.ts";
import type { Json } from "../api/json.ts";
import { messageOf } from "../api/message-of.ts";
import type { StoredObject } from "../api/object.ts";
import { qualifiedName, type Resource } from "../api/resource.ts";
import { customResourceDefinitions } from "../api/resources.ts";
import { valueAtPath } from "../api/value-at-path.ts";
import { ApiError } from "../machinery/client/api-error.ts";
import type { Client } from "../machinery/client/client.ts";
import type { ScaledObject, ScaledObjects } from "./contract.ts";
import { type Forwarding, refusalOf } from "./forward-read.ts";
import type { Page } from "./page.ts";
import { sendJson, sendRefusal } from "./send.ts";

/** Limits what one answer costs the API server and the browser. */
const most = { kinds: 40, objectsOfKind: 500 };

/** Serves `GET /scaled.json`: of each object its sizes and its selector, and nothing else that it has. */
export async function serveScaledObjects(
  { client, cluster }: Pick<Page, "client" | "cluster">,
  { response, signal }: Forwarding,
): Promise<void> {
  try {
    sendJson(response, await readScaledObjects(client, cluster.namespace, signal));
  } catch (error) {
    // The boundary of HTTP.
    sendRefusal(response, refusalOf(error));
  }
}

/** A custom kind with a scale. */
interface ScaledKind {
  readonly resource: Resource;
  readonly paths: CustomResourceSubresourceScale;
}

/** Reads all custom kinds that have a scale, as far as the user may. */
export async function readScaledObjects(
  client: Pick<Client, "list">,
  namespace: string | undefined,
  signal: AbortSignal,
): Promise<ScaledObjects> {
  const found = await ifAllowed(client.list(customResourceDefinitions, {}, signal), "custom kinds");
  if (!found.ok) return { objects: [], problems: [found.problem] };
  const kinds = found.value.items.flatMap(scaledKind).filter(({ resource }) => {
    return namespace === undefined || resource.namespaced;
  });
  const lists = await Promise.all(
    kinds.slice(0, most.kinds).map((kind) => objectsOf(client, kind, { namespace, signal })),
  );
  const left = kinds.slice(most.kinds).map(({ resource }) => resource.plural);
  return {
    objects: lists.flatMap(({ objects }) => objects),
    problems: [
      ...lists.flatMap(({ problems }) => problems),
      ...(left.length === 0 ? [] : [`${left.length} more custom kinds are not read: ${left.join(", ")}`]),
    ],
  };
}

/** The version of a kind that has a scale; the stored one, where several have. */
function scaledKind({ spec }: CustomResourceDefinition): readonly ScaledKind[] {
  const versions = spec.versions.filter(({ served, subresources }) => {
    return served && subresources?.scale !== undefined;
  });
  const version = versions.find(({ storage }) => storage) ?? versions[0];
  const paths = version?.subresources?.scale;
  if (version === undefined || paths === undefined) return [];
  const { kind, plural } = spec.names;
  const namespaced = spec.scope === "Namespaced";
  return [{ resource: { group: spec.group, version: version.name, kind, plural, namespaced }, paths }];
}

interface ListScope {
  readonly namespace: string | undefined;
  readonly signal: AbortSignal;
}

async function objectsOf(
  client: Pick<Client, "list">,
  { resource, paths }: ScaledKind,
  { namespace, signal }: ListScope,
): Promise<ScaledObjects> {
  const query = { namespace, limit: most.objectsOfKind, withoutManagedFields: true };
  const read = await ifAllowed(client.list(resource, query, signal), qualifiedName(resource));
  if (!read.ok) return { objects: [], problems: [read.problem] };
  const { items, continue: more = "" } = read.value;
  return {
    objects: items.map((object) => scaledObject(object, resource, paths)),
    problems: more === "" ? [] : [`only ${items.length} ${qualifiedName(resource)} are listed`],
  };
}

function scaledObject(
  object: StoredObject,
  { group, kind }: Resource,
  { specReplicasPath, statusReplicasPath, labelSelectorPath }: CustomResourceSubresourceScale,
): ScaledObject {
  const { namespace = "", name, uid } = object.metadata;
  // Objects of custom kinds are JSON as the API server sent it.
  const json = object as unknown as Json;
  const replicas = valueAtPath(json, specReplicasPath);
  const currentReplicas = valueAtPath(json, statusReplicasPath);
  const selector = labelSelectorPath === undefined ? undefined : valueAtPath(json, labelSelectorPath);
  return {
    group,
    kind,
    namespace,
    name,
    uid,
    ...(typeof replicas === "number" && { replicas }),
    ...(typeof currentReplicas === "number" && { currentReplicas }),
    ...(typeof selector === "string" && selector !== "" && { selector }),
  };
}

type Allowed<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly problem: string };

/** A list that the server refuses is missing; one that it does not answer fails. */
async function ifAllowed<T>(list: Promise<T>, what: string): Promise<Allowed<T>> {
  try {
    return { ok: true, value: await list };
  } catch (error) {
    if (!(error instanceof ApiError) || error.code >= 500) throw error;
    return { ok: false, problem: `${what} cannot be read: ${messageOf(error)}` };
  }
}
