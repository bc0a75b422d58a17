import type { JsonObject } from "../../../api/json.ts";
import { repeatedOwnerWarnings } from "../../../api/kinds/object-meta/owner-references.ts";
import { apiVersionOf } from "../../../api/resource.ts";
import { formatTime } from "../../../api/time.ts";
import { nameSuffix, newUid } from "../../../machinery/random/identifiers.ts";
import { admitCreate } from "../admit.ts";
import type { ApiRequest } from "../api-request.ts";
import type { ApiResponse } from "../api-response.ts";
import { alreadyExists, invalidObject, noUniqueName } from "../failures.ts";
import { without } from "../members.ts";
import { isBeingDeleted, metadataOf, withMetadata, withoutServerFields } from "../metadata.ts";
import { notRunWarnings } from "../not-run-warnings.ts";
import type { ServedResource } from "../served-resource.ts";
import { collectionOf, type ServerContext } from "../server-context.ts";
import { allocateForService } from "../services/allocate-for-service.ts";
import { addressed } from "./addressed.ts";
import { commitPut, storeKey } from "./commit.ts";

/** An object that is to come into being. */
export interface Creation {
  readonly request: ApiRequest;
  /** Decoded, of the resource's kind. */
  readonly object: JsonObject;
  readonly dryRun: boolean;
  readonly warnings: readonly string[];
}

const nameAttempts = 8;
/** A generated name has at most 63 characters, five of them the server's. */
const longestBase = 58;

/** Creates an object: defaults, admission, the server's fields, validation, and a place in the store. */
export async function createObject(context: ServerContext, creation: Creation): Promise<ApiResponse> {
  const { request, dryRun } = creation;
  const { resource } = request;
  const { manners } = resource;
  const occasion = { gates: context.gates(), now: context.clock.now() };
  const admitted = admitCreate(context, request, draftOf(creation));
  const prepared = manners.prepareForCreate?.(admitted, occasion) ?? admitted;
  const object = allocateForService(context, resource, {
    next: withIdentity(context, resource, prepared),
  });
  const errors = manners.validate?.(object, occasion) ?? [];
  if (errors.length > 0) throw invalidObject(resource, metadataOf(object).name ?? "", errors);
  refuseTaken(context, resource, object);
  const { item, durable } = commitPut(context, { resource, object, dryRun });
  await durable;
  const warnings = [
    ...creation.warnings,
    ...repeatedOwnerWarnings(creation.object),
    ...(manners.warnings?.(object, occasion) ?? []),
    ...notRunWarnings(context, resource),
  ];
  return { kind: "object", code: 201, item, warnings };
}

/** What the client sent, without what it may not say, with the defaults of its kind. */
function draftOf({ request, object }: Creation): JsonObject {
  const { resource } = request;
  const { manners } = resource;
  const placed = addressed(object, request);
  const head = { apiVersion: apiVersionOf(resource), kind: resource.kind };
  const draft: JsonObject = {
    ...head,
    ...placed,
    ...head, // first for those who read it, last because an empty text is as good as none
    metadata: withoutServerFields(metadataOf(placed)) as JsonObject,
  };
  const plain = manners.keepsStatusOnCreate === true ? draft : without(draft, ["status"]);
  return manners.defaults?.(plain) ?? plain;
}

function withIdentity(context: ServerContext, resource: ServedResource, object: JsonObject): JsonObject {
  const metadata = metadataOf(object);
  const { name = "", generateName = "" } = metadata;
  const isGenerated = name === "" && generateName !== "";
  const identified = withMetadata(object, {
    ...metadata,
    ...(isGenerated && { name: generatedName(context, resource, object) }),
    uid: newUid(context.random),
    ...(resource.manners.generation !== undefined && { generation: 1 }),
    creationTimestamp: formatTime(context.clock.now()),
  });
  // A namespace is labelled with its name, which has only now become known.
  return isGenerated ? (resource.manners.defaults?.(identified) ?? identified) : identified;
}

function generatedName(context: ServerContext, resource: ServedResource, object: JsonObject): string {
  const metadata = metadataOf(object);
  const base = (metadata.generateName ?? "").slice(0, longestBase);
  let name = "";
  for (let attempt = 0; attempt < nameAttempts; attempt++) {
    name = `${base}${nameSuffix(context.random)}`;
    const key = storeKey(withMetadata(object, { ...metadata, name }));
    if (collectionOf(context, resource).get(key) === undefined) return name;
  }
  throw noUniqueName(resource, name);
}

function refuseTaken(context: ServerContext, resource: ServedResource, object: JsonObject): void {
  const existing = collectionOf(context, resource).get(storeKey(object));
  if (existing === undefined) return;
  const prefix = isBeingDeleted(existing.object) ? "object is being deleted: " : "";
  throw alreadyExists(resource, metadataOf(object).name ?? "", prefix);
}
