import { extended } from "../../../api/extended.ts";
import { isJsonObject, type JsonObject } from "../../../api/json.ts";
import { formatTime } from "../../../api/time.ts";
import { nameSuffix, newUid } from "../../../machinery/random/identifiers.ts";
import type { StrategyContext } from "../kinds/kind-strategy.ts";
import type { ApiRequest } from "../request/api-request.ts";
import type { ServedResource } from "../served-resource.ts";
import { collectionOf, type ServerContext } from "../server-context.ts";
import { noUniqueName } from "../status-errors.ts";
import { requestKey } from "../storage/stored-object.ts";
import { allocateForService } from "./allocate-for-service.ts";
import { finishValidation } from "./finish-validation.ts";
import { withNameFromUrl } from "./name-from-url.ts";
import { metadataOf, withHead, withMetadata, withoutServerFields } from "./object-meta.ts";
import { omit } from "./pick-omit.ts";

const nameAttempts = 8;
/** Limits the base of a generated name, which has at most 63 characters, the last five of them random. */
const maxGeneratedBaseLength = 58;

/** Returns a client's new object without system fields, with the defaults of its kind. */
export function newDraft(request: ApiRequest, object: JsonObject): JsonObject {
  const { resource } = request;
  const { strategy } = resource;
  const named = withNameFromUrl(object, request);
  const draft = withHead(resource, named, withoutServerFields(metadataOf(named)));
  const plain = strategy.keepsStatusOnCreate === true ? draft : omit(draft, ["status"]);
  return strategy.defaults?.(plain) ?? plain;
}

/** An object, and the context of its strategy. */
export interface CompletionInput {
  readonly object: JsonObject;
  readonly occasion: StrategyContext;
}

/** Returns the admitted object as it will be stored, with its identity. */
export function completedObject(
  context: ServerContext,
  resource: ServedResource,
  { object, occasion }: CompletionInput,
): JsonObject {
  const { strategy } = resource;
  const identified = withIdentity(context, resource, object);
  const prepared = strategy.prepareForCreate?.(identified, occasion) ?? identified;
  const next = withInitialStatus(resource, prepared);
  return allocateForService(context, resource, { next });
}

/** Validates a completed object; throws 422 when it is invalid. Returns what `finishValidation` does. */
export function validateNew(
  context: ServerContext,
  resource: ServedResource,
  { object, sent, occasion }: CompletionInput & { readonly sent: JsonObject },
): readonly string[] | Promise<readonly string[]> {
  const { strategy } = resource;
  const errors = strategy.validate?.(object, occasion) ?? [];
  const warnings = errors.length === 0 ? [] : (strategy.warningsAboutSent?.(sent) ?? []);
  return finishValidation(context, resource, { next: object, errors, warnings });
}

/** Returns the object with the members of `status` that are stored from the start. */
function withInitialStatus({ schema }: ServedResource, object: JsonObject): JsonObject {
  const zero = schema.initialStatus;
  if (zero === undefined) return object;
  const { status } = object;
  if (isJsonObject(status) && Object.keys(zero).every((name) => name in status)) return object;
  return extended(object, { status: { ...zero, ...(isJsonObject(status) && status) } });
}

function withIdentity(context: ServerContext, resource: ServedResource, object: JsonObject): JsonObject {
  const metadata = metadataOf(object);
  const { name = "", generateName = "" } = metadata;
  const isGenerated = name === "" && generateName !== "";
  const identified = withMetadata(
    object,
    extended(metadata, {
      ...(isGenerated && { name: generatedName(context, resource, object) }),
      uid: newUid(context.identities(resource.collection)),
      ...(resource.strategy.generation !== undefined && { generation: 1 }),
      creationTimestamp: formatTime(context.clock.now()),
    }),
  );
  // The defaults of a namespace label it with its name, which is known only now; the defaults of its spec are set
  // already.
  return isGenerated ? (resource.strategy.defaults?.(identified, object) ?? identified) : identified;
}

function generatedName(context: ServerContext, resource: ServedResource, object: JsonObject): string {
  const metadata = metadataOf(object);
  const base = (metadata.generateName ?? "").slice(0, maxGeneratedBaseLength);
  const identities = context.identities(resource.collection);
  let name = "";
  for (let attempt = 0; attempt < nameAttempts; attempt++) {
    name = `${base}${nameSuffix(identities)}`;
    const key = requestKey({ namespace: metadata.namespace, name });
    if (collectionOf(context, resource).get(key) === undefined) return name;
  }
  throw noUniqueName(resource, name);
}
