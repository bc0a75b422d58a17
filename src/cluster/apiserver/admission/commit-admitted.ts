import type { LimitRange } from "../../../api/generated/core-v1.ts";
import type { JsonObject } from "../../../api/json.ts";
import { resourceQuotas } from "../../../api/resources.ts";
import type { Sent } from "../../../api/sent.ts";
import type { Store } from "../../store/store.ts";
import { metadataOf } from "../registry/object-meta.ts";
import type { ServerContext } from "../server-context.ts";
import { forbiddenRequest } from "../status-errors.ts";
import { commitPut, commitTogether, type ObjectWrite, type WriteResult } from "../storage/commit.ts";
import { limitProblem } from "./check-limits.ts";
import { admitToQuotas, chargedQuota } from "./resource-quota.ts";

/** A complete and valid write, and the version it replaces. */
export interface AdmittedWrite extends ObjectWrite {
  readonly previous?: JsonObject | undefined;
}

/**
 * Commits a write if the limits and quotas of its namespace allow it, and charges the quotas in the same turn, so that
 * nothing comes in between; throws 403 otherwise. This is the last step of admission, after everything that may change
 * the object.
 */
export function commitWithinQuotas(context: ServerContext, write: AdmittedWrite): WriteResult {
  if (!write.resource.namespaced) return commitPut(context, write);
  const charges = chargesOf(context, write);
  if (charges.length === 0) return commitPut(context, write);
  const { group, version, plural } = resourceQuotas;
  const resource = context.kinds.find(group, version, plural);
  const { dryRun } = write;
  const charged = charges.map(chargedQuota);
  const writes = resource === undefined ? [] : charged.map((object) => ({ resource, object, dryRun }));
  return commitTogether(context, write, writes);
}

function chargesOf(context: ServerContext, { resource, object, previous }: AdmittedWrite) {
  const { collection, conversion } = resource;
  const { name = "", namespace = "" } = metadataOf(object);
  // A Pod keeps the resources it was created with.
  const isLimited =
    collection === "persistentvolumeclaims" || (collection === "pods" && previous === undefined);
  const problem = isLimited
    ? limitProblem(collection, object, limitRangesOf(context.store, namespace))
    : undefined;
  if (problem !== undefined) throw forbiddenRequest(resource, name, { why: problem });
  const stored = conversion?.toStorage(object) ?? object;
  const admission = admitToQuotas(context, { collection, object: stored, previous });
  if (!admission.admitted) throw forbiddenRequest(resource, name, { why: admission.because });
  return admission.object;
}

/** Returns the LimitRanges of a namespace. */
export function limitRangesOf(store: Store, namespace: string): readonly Sent<LimitRange>[] {
  return [...store.collection("limitranges").records({ namespace })].map(({ object }) => object);
}
