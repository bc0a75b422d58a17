import { withoutCondition } from "../../../../api/conditions.ts";
import type { Pod } from "../../../../api/generated/core-v1.ts";
import type { Eviction } from "../../../../api/generated/policy-v1.ts";
import type { JsonObject } from "../../../../api/json.ts";
import { formatTime } from "../../../../api/time.ts";
import { decodeRequestBody } from "../../decoding/decode-body.ts";
import { deleteObject } from "../delete.ts";
import { reviewBody } from "../../webhooks/review-body.ts";
import { checkNamesObject, withNameFromUrl } from "../../registry/name-from-url.ts";
import { tableSchema } from "../../schema/table-schema.ts";
import type { ApiRequest } from "../../request/api-request.ts";
import { type ApiResponse, successStatus } from "../../request/api-response.ts";
import { deletionOf } from "../../request/delete-options.ts";
import { writeOptionsOf } from "../../request/write-options.ts";
import { collectionOf, type ServerContext } from "../../server-context.ts";
import { commitPut } from "../../storage/commit.ts";
import { checkPreconditions, getStored, requestKey } from "../../storage/stored-object.ts";
import { spendDisruption } from "./disruption-budget.ts";

const expected = {
  apiVersion: "policy/v1",
  olderVersion: "policy/v1beta1",
  kind: "Eviction",
  schema: tableSchema("policy.v1.Eviction"),
};

/** Handles a create of `pods/eviction`: deletes the Pod if its PodDisruptionBudget, where it has one, allows it. */
export async function evict(context: ServerContext, request: ApiRequest): Promise<ApiResponse> {
  const { dryRun, fieldValidation } = writeOptionsOf(request.options, "CreateOptions");
  const decoded = decodeRequestBody(request, expected, { validation: fieldValidation });
  checkNamesObject(decoded.object, request, expected.kind);
  const sent = withNameFromUrl(decoded.object, request);
  const review = context.webhooks.reviewOf(request, "CREATE", { dryRun });
  const eviction = review === undefined ? sent : await reviewBody(review, sent, expected);
  const { deleteOptions = {} } = eviction as unknown as Eviction;
  const { preconditions = {}, ...deletion } = deletionOf({
    ...request,
    options: dryRun ? { dryRun: ["All"] } : {},
    body: { form: "value", value: deleteOptions as JsonObject },
  });
  const { resource } = request;
  const stored = getStored(context, request);
  // Checked before anything is written: the condition below makes a new version, and no disruption may be spent on
  // another Pod.
  checkPreconditions(resource, stored, preconditions);
  const pod = stored.object as unknown as Pod;
  spendDisruption(context, pod, deletion.dryRun);
  const object = withDisruptionTarget(pod, formatTime(context.clock.now()));
  commitPut(context, { resource, object, dryRun: deletion.dryRun });
  const record = collectionOf(context, resource).get(requestKey(request));
  if (record !== undefined) await deleteObject(context, { resource, record, deletion });
  return review === undefined ? successStatus : { ...successStatus, warnings: review.warnings };
}

function withDisruptionTarget(pod: Pod, now: string): JsonObject {
  const target = {
    type: "DisruptionTarget",
    status: "True",
    reason: "EvictionByEvictionAPI",
    message: "Eviction API: evicting",
    lastTransitionTime: now,
  };
  const conditions = [...withoutCondition(pod.status?.conditions, target.type), target];
  return { ...pod, status: { ...pod.status, conditions } } as unknown as JsonObject;
}
