import type { JsonObject } from "../../api/json.ts";
import { isJsonObject } from "../../api/json.ts";
import { decodeBody, expectedKindOf } from "../../cluster/apiserver/decoding/decode-body.ts";
import type { ApiRequest } from "../../cluster/apiserver/request/api-request.ts";
import type { ServedResource } from "../../cluster/apiserver/served-resource.ts";
import type { Store } from "../../cluster/store/store.ts";
import { ApiError } from "../../machinery/client/api-error.ts";
import type { FaultSubject } from "./fault-draws.ts";

/** How many generated names are known after their objects are gone. */
const mostNames = 20_000;

/** Finds out what requests are about. Names that the server generated differ from run to run: their prefix stands for them. */
export class RequestSubjects {
  readonly #store: Store;
  /** The prefixes of generated names, by collection and key. */
  readonly #prefixes = new Map<string, string>();

  constructor(store: Store) {
    this.#store = store;
  }

  /** Returns the subject of a request. */
  of(request: ApiRequest): FaultSubject {
    const { resource, subresource, verb, user, namespace } = request;
    const sent = verb === "create" && request.name === undefined ? subjectMetadata(bodyOf(request)) : {};
    return {
      user: user.name,
      verb,
      resource: pathOf(resource, subresource),
      name: this.#joined(namespace, this.#nameOf(request, sent)),
    };
  }

  /** Returns the subject of an event that a watch shows. */
  ofEvent(request: ApiRequest, object: JsonObject): FaultSubject {
    const { namespace, name, generateName } = subjectMetadata(object);
    const own = typeof name === "string" ? prefixOf(name, generateName) : "";
    return {
      user: request.user.name,
      verb: "event",
      resource: pathOf(request.resource, undefined),
      name: this.#joined(typeof namespace === "string" ? namespace : undefined, own),
    };
  }

  #nameOf({ resource, namespace, name }: ApiRequest, sent: JsonObject): string {
    if (name !== undefined)
      return this.#stable(resource.collection, namespace === undefined ? name : `${namespace}/${name}`);
    if (typeof sent["name"] === "string") return sent["name"];
    return typeof sent["generateName"] === "string" ? `${sent["generateName"]}*` : "";
  }

  #joined(namespace: string | undefined, name: string): string {
    return namespace === undefined ? name : `${this.#stable("namespaces", namespace)}/${name}`;
  }

  /** Returns the name of a stored object, or its prefix if it was generated. */
  #stable(collection: string, key: string): string {
    const name = key.slice(key.indexOf("/") + 1);
    const id = `${collection} ${key}`;
    const stored = this.#store.collection(collection).get(key);
    if (stored === undefined) return this.#prefixes.get(id) ?? name;
    const stable = prefixOf(name, stored.object.metadata["generateName"]);
    if (stable !== name) this.#remember(id, stable);
    return stable;
  }

  #remember(id: string, prefix: string): void {
    const [first] = this.#prefixes.keys();
    if (first !== undefined && this.#prefixes.size >= mostNames) this.#prefixes.delete(first);
    this.#prefixes.set(id, prefix);
  }
}

/** Returns the object in the body of a request; without a readable one, an object without fields. */
export function bodyOf({ body, resource }: ApiRequest): JsonObject {
  if (body === undefined) return {};
  try {
    return decodeBody(body, expectedKindOf(resource)).object;
  } catch (error) {
    // A body of another kind, as subresources have them, or one that the handler will refuse.
    if (error instanceof ApiError) return {};
    throw error;
  }
}

/** Returns the metadata of an object. */
export function subjectMetadata(object: JsonObject): JsonObject {
  const { metadata } = object;
  return isJsonObject(metadata) ? metadata : {};
}

function prefixOf(name: string, generateName: unknown): string {
  const isGenerated =
    typeof generateName === "string" && generateName !== "" && name.startsWith(generateName);
  return isGenerated ? `${generateName}*` : name;
}

function pathOf({ group, plural }: ServedResource, subresource: string | undefined): string {
  const resource = group === "" ? plural : `${plural}.${group}`;
  return subresource === undefined ? resource : `${resource}/${subresource}`;
}
