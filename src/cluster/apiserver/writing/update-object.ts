import type { FieldError } from "../../../api/field-error.ts";
import type { JsonObject } from "../../../api/json.ts";
import type { Change, Occasion } from "../../../api/kinds/manners.ts";
import { repeatedOwnerWarnings } from "../../../api/kinds/object-meta/owner-references.ts";
import { sameValue } from "../../../api/kinds/same-value.ts";
import { apiVersionOf } from "../../../api/resource.ts";
import type { StoreRecord } from "../../store/store.ts";
import { admitUpdate } from "../admit.ts";
import type { ApiRequest } from "../api-request.ts";
import type { ApiResponse } from "../api-response.ts";
import { invalidObject } from "../failures.ts";
import { served } from "../item.ts";
import { without } from "../members.ts";
import { isFullyReleased, metadataOf, withMetadata, withServerFields } from "../metadata.ts";
import type { ServedResource } from "../served-resource.ts";
import type { ServerContext } from "../server-context.ts";
import { allocateForService } from "../services/allocate-for-service.ts";
import { commitPut, commitRemove } from "./commit.ts";

/** A next version of an object. */
export interface Update {
  readonly request: ApiRequest;
  readonly stored: StoreRecord;
  /** The whole object as it is to be, of the resource's kind; the server's own fields are put right here. */
  readonly object: JsonObject;
  /** Which half of the object the client may change. */
  readonly part: "spec" | "status";
  readonly dryRun: boolean;
  readonly warnings: readonly string[];
}

/** Replaces an object; an update that changes nothing writes nothing. */
export async function updateObject(context: ServerContext, update: Update): Promise<ApiResponse> {
  const { request, stored, part, dryRun } = update;
  const { resource } = request;
  const occasion = { gates: context.gates(), now: context.clock.now() };
  const previous = served(resource, stored).object;
  const proposed = proposalOf(update, previous, occasion);
  const next = part === "spec" ? completed(context, request, { next: proposed, previous }) : proposed;
  const errors = problemsOf(update, { next, previous }, occasion);
  if (errors.length > 0) throw invalidObject(resource, previous.metadata.name, errors);
  const warnings = [
    ...update.warnings,
    ...repeatedOwnerWarnings(update.object),
    ...(resource.manners.warnings?.(next, occasion, previous) ?? []),
  ];
  if (isFullyReleased(next)) {
    const { item, durable } = commitRemove(context, { resource, object: next, dryRun });
    await durable;
    return { kind: "object", code: 200, item, warnings, removed: true };
  }
  if (sameValue(next, previous))
    return { kind: "object", code: 200, item: served(resource, stored), warnings };
  const { item, durable } = commitPut(context, { resource, object: next, dryRun });
  await durable;
  return { kind: "object", code: 200, item, warnings };
}

/** What admission, allocation and the count of generations make of the next version. */
function completed(context: ServerContext, request: ApiRequest, change: Change): JsonObject {
  const { resource } = request;
  const { previous } = change;
  const admitted = admitUpdate(context, request, change);
  const next = allocateForService(context, resource, { next: admitted, previous });
  return withGeneration(resource, { next, previous });
}

/** The next version before admission: the client's half of the object, the server's fields, defaults. */
function proposalOf({ request, object, part }: Update, previous: JsonObject, occasion: Occasion): JsonObject {
  const { resource } = request;
  const { manners } = resource;
  const head = { apiVersion: apiVersionOf(resource), kind: resource.kind };
  const whole = {
    ...head,
    ...object,
    ...head, // an empty text is as good as none
    metadata: withServerFields(metadataOf(object), metadataOf(previous)) as JsonObject,
  };
  const next = manners.defaults?.(whole) ?? whole;
  if (part === "status") {
    const change = { next, previous };
    return manners.prepareForStatusUpdate?.(change, occasion) ?? statusOnly(change);
  }
  const kept = withStatusOf(next, previous);
  return manners.prepareForUpdate?.({ next: kept, previous }, occasion) ?? kept;
}

function statusOnly({ next, previous }: Change): JsonObject {
  return withMetadata(withStatusOf(previous, next), metadataOf(next));
}

function withStatusOf(object: JsonObject, source: JsonObject): JsonObject {
  const { status } = source;
  return status === undefined ? without(object, ["status"]) : { ...object, status };
}

function withGeneration({ manners }: ServedResource, { next, previous }: Change): JsonObject {
  if (manners.generation === undefined) return next;
  const before = metadataOf(previous);
  const after = metadataOf(next);
  const changed =
    !sameValue(next["spec"], previous["spec"]) ||
    (manners.generation === "spec-and-annotations" &&
      !sameValue(after.annotations ?? {}, before.annotations ?? {}));
  return changed ? withMetadata(next, { ...after, generation: (before.generation ?? 0) + 1 }) : next;
}

function problemsOf({ request, part }: Update, change: Change, occasion: Occasion): readonly FieldError[] {
  const { manners } = request.resource;
  if (part === "status") return manners.validateStatusUpdate?.(change, occasion) ?? [];
  return [
    ...(manners.validate?.(change.next, occasion, change.previous) ?? []),
    ...(manners.validateUpdate?.(change, occasion) ?? []),
  ];
}
