import { deepEqual } from "../../../api/deep-equal.ts";
import type { FieldError } from "../../../api/field-error.ts";
import type { JsonObject } from "../../../api/json.ts";
import type { ObjectUpdate, StrategyContext } from "../../../api/kinds/kind-strategy.ts";
import { repeatedOwnerWarnings } from "../../../api/kinds/object-meta/owner-references.ts";
import { apiVersionOf } from "../../../api/resource.ts";
import { equalField, semanticEqual } from "../../../api/schema/semantic-equality.ts";
import type { StoreRecord } from "../../store/store.ts";
import { admitUpdate } from "../admission/run-admission.ts";
import type { ApiRequest } from "../request/api-request.ts";
import type { ApiResponse } from "../request/api-response.ts";
import type { ServedResource } from "../served-resource.ts";
import type { ServerContext } from "../server-context.ts";
import { invalidObject } from "../status-errors.ts";
import { commitPut, commitRemove } from "../storage/commit.ts";
import { toServed } from "../storage/served-object.ts";
import { allocateForService } from "./allocate-for-service.ts";
import { isReadyForRemoval, metadataOf, withMetadata, withServerFields } from "./object-meta.ts";
import { omit } from "./pick-omit.ts";

/** An update that is decoded. */
export interface Update {
  readonly request: ApiRequest;
  readonly stored: StoreRecord;
  /** The whole object, of the resource's kind; its system fields are ignored. */
  readonly object: JsonObject;
  /** What the request may change: everything but the status, or the status alone. */
  readonly writable: "spec" | "status";
  readonly dryRun: boolean;
  readonly warnings: readonly string[];
}

/** Updates an object: defaults, admission, validation, commit; an update without a change is not committed. */
export async function updateObject(context: ServerContext, update: Update): Promise<ApiResponse> {
  const { request, stored, writable, dryRun } = update;
  const { resource } = request;
  const occasion = { gates: context.gates(), now: context.clock.now() };
  const previous = toServed(resource, stored).object;
  const proposed = proposalOf(update, previous, occasion);
  const next = writable === "spec" ? completed(context, request, { next: proposed, previous }) : proposed;
  const errors = problemsOf(update, { next, previous }, occasion);
  if (errors.length > 0) throw invalidObject(resource, previous.metadata.name, errors);
  const warnings = [
    ...update.warnings,
    ...repeatedOwnerWarnings(update.object),
    ...(resource.strategy.warnings?.(next, occasion, previous) ?? []),
  ];
  if (isReadyForRemoval(next)) {
    const { item, durable } = commitRemove(context, { resource, object: next, dryRun });
    await durable;
    return { kind: "object", code: 200, item, warnings, removed: true };
  }
  if (semanticEqual(resource.type, next, previous)) {
    // What the client wants is stored, perhaps by a commit that may still be lost.
    const waits = context.store.flushed();
    if (waits !== undefined) await waits;
    return { kind: "object", code: 200, item: toServed(resource, stored), warnings };
  }
  const { item, durable } = commitPut(context, { resource, object: next, dryRun });
  await durable;
  return { kind: "object", code: 200, item, warnings };
}

/** The next version after admission, allocation and a new generation. */
function completed(context: ServerContext, request: ApiRequest, change: ObjectUpdate): JsonObject {
  const { resource } = request;
  const { previous } = change;
  const admitted = admitUpdate(context, request, change);
  const next = allocateForService(context, resource, { next: admitted, previous });
  return withGeneration(resource, { next, previous });
}

/** The next version before admission: what the client may change, stored system fields, defaults. */
function proposalOf(
  { request, object, writable }: Update,
  previous: JsonObject,
  occasion: StrategyContext,
): JsonObject {
  const { resource } = request;
  const { strategy } = resource;
  const head = { apiVersion: apiVersionOf(resource), kind: resource.kind };
  const whole = {
    ...head,
    ...object,
    ...head, // an empty text counts as absent
    metadata: withServerFields(metadataOf(object), metadataOf(previous)) as JsonObject,
  };
  const next = strategy.defaults?.(whole) ?? whole;
  if (writable === "status") {
    const change = { next, previous };
    return strategy.prepareForStatusUpdate?.(change, occasion) ?? statusOnly(change);
  }
  const kept = withStatusOf(next, previous);
  return strategy.prepareForUpdate?.({ next: kept, previous }, occasion) ?? kept;
}

function statusOnly({ next, previous }: ObjectUpdate): JsonObject {
  return withMetadata(withStatusOf(previous, next), metadataOf(next));
}

function withStatusOf(object: JsonObject, source: JsonObject): JsonObject {
  const { status } = source;
  return status === undefined ? omit(object, ["status"]) : { ...object, status };
}

function withGeneration({ strategy, type }: ServedResource, { next, previous }: ObjectUpdate): JsonObject {
  if (strategy.generation === undefined) return next;
  const before = metadataOf(previous);
  const after = metadataOf(next);
  const changed =
    !equalField(type, [next, previous], "spec") ||
    (strategy.generation === "spec-and-annotations" &&
      !deepEqual(after.annotations ?? {}, before.annotations ?? {}));
  return changed ? withMetadata(next, { ...after, generation: (before.generation ?? 0) + 1 }) : next;
}

function problemsOf(
  { request, writable }: Update,
  change: ObjectUpdate,
  occasion: StrategyContext,
): readonly FieldError[] {
  const { strategy } = request.resource;
  if (writable === "status") return strategy.validateStatusUpdate?.(change, occasion) ?? [];
  return [
    ...(strategy.validate?.(change.next, occasion, change.previous) ?? []),
    ...(strategy.validateUpdate?.(change, occasion) ?? []),
  ];
}
