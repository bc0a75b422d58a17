import { extended } from "../../../../api/extended.ts";
import { withoutCondition } from "../../../../api/conditions.ts";
import { type FieldError, notSupported } from "../../../../api/field-error.ts";
import type { Binding, Pod } from "../../../../api/generated/core-v1.ts";
import type { JsonObject } from "../../../../api/json.ts";
import { requiredText } from "../../../../api/field-checks.ts";
import { validateAnnotations } from "../../kinds/object-meta/validate-object-meta.ts";
import { validateLabels } from "../../../../api/labels/label-syntax.ts";
import { dns1123SubdomainProblems } from "../../../../api/names.ts";
import { isBeingDeleted } from "../../../../api/object.ts";
import { formatTime } from "../../../../api/time.ts";
import { decodeRequestBody } from "../../decoding/decode-body.ts";
import { reviewBody } from "../../webhooks/review-body.ts";
import { checkNamesObject, withNameFromUrl } from "../../registry/name-from-url.ts";
import { metadataOf } from "../../registry/object-meta.ts";
import { tableSchema } from "../../schema/table-schema.ts";
import type { ApiRequest } from "../../request/api-request.ts";
import { type ApiResponse, successStatus } from "../../request/api-response.ts";
import { writeOptionsOf } from "../../request/write-options.ts";
import type { ServerContext } from "../../server-context.ts";
import { badRequest, conflict, invalidObject, noSuchPath } from "../../status-errors.ts";
import { commitPut } from "../../storage/commit.ts";
import { checkWritePreconditions, getStored } from "../../storage/stored-object.ts";

const expected = { apiVersion: "v1", kind: "Binding", schema: tableSchema("core.v1.Binding") };
const subresource = { group: "", plural: "pods/binding" };

/** Handles a create of `pods/binding`: assigns the Pod to a node, with its condition, in one commit. */
export async function bind(context: ServerContext, request: ApiRequest): Promise<ApiResponse> {
  const { dryRun, fieldValidation } = writeOptionsOf(request.options, "CreateOptions");
  const { object } = decodeRequestBody(request, expected, { validation: fieldValidation });
  checkNamesObject(object, request, expected.kind);
  const sent = withNameFromUrl(object, request);
  const review = context.webhooks.reviewOf(request, "CREATE", { dryRun });
  const reviewed = review === undefined ? sent : await reviewBody(review, sent, expected);
  const binding = reviewed as unknown as Binding;
  const errors = problemsOf(binding);
  if (errors.length > 0) throw invalidObject({ group: "", kind: "Binding" }, request.name ?? "", errors);
  const stored = getStored(context, request);
  checkWritePreconditions(request.resource, stored.object.metadata, binding.metadata);
  const pod = stored.object as unknown as Pod;
  const why = whyNotBindable(pod);
  if (why !== undefined) throw conflict(subresource, pod.metadata.name, why);
  const bound = boundPod(pod, binding, formatTime(context.clock.now()));
  const written = commitPut(context, { resource: request.resource, object: bound, dryRun });
  await written.durable;
  return review === undefined ? successStatus : { ...successStatus, warnings: review.warnings };
}

/** Handles a create in the collection `bindings`, the older form, with the Pod's name in the body. */
export async function bindByBody(context: ServerContext, request: ApiRequest): Promise<ApiResponse> {
  const resource = context.kinds.find("", "v1", "pods");
  if (resource === undefined) throw noSuchPath();
  const { object } = decodeRequestBody(request, expected);
  const { name = "" } = metadataOf(object);
  if (name === "") throw badRequest("Name parameter required.");
  return bind(context, { ...request, resource, subresource: "binding", name });
}

/** Returns the problems of a binding, including those of its labels and annotations, which the Pod gets. */
function problemsOf({ target, metadata }: Partial<Binding>): readonly FieldError[] {
  const { kind = "", name = "" } = target ?? {};
  const isNode = kind === "" || kind === "Node";
  return [
    ...(isNode ? [] : [notSupported("target.kind", kind, ["Node", "<empty>"])]),
    ...requiredText(name, "target.name", dns1123SubdomainProblems),
    ...validateLabels(metadata?.labels, "metadata.labels"),
    ...validateAnnotations(metadata?.annotations, "metadata.annotations"),
  ];
}

function whyNotBindable(pod: Pod): string | undefined {
  const { name } = pod.metadata;
  const { nodeName = "", schedulingGates = [] } = pod.spec;
  if (isBeingDeleted(pod)) return `pod ${name} is being deleted, cannot be assigned to a host`;
  if (nodeName !== "") return `pod ${name} is already assigned to node ${JSON.stringify(nodeName)}`;
  return schedulingGates.length > 0 ? `pod ${name} has non-empty .spec.schedulingGates` : undefined;
}

function boundPod(pod: Pod, { metadata, target }: Binding, now: string): JsonObject {
  const { nominatedNodeName: _nominated, ...status } = pod.status ?? {};
  const scheduled = { type: "PodScheduled", status: "True", lastTransitionTime: now };
  const { labels, annotations } = metadata;
  const bound = {
    ...pod,
    metadata: {
      ...pod.metadata,
      ...(labels !== undefined && { labels: { ...pod.metadata.labels, ...labels } }),
      ...(annotations !== undefined && { annotations: { ...pod.metadata.annotations, ...annotations } }),
    },
    spec: extended(pod.spec, { nodeName: target.name }),
    status: extended(status, {
      conditions: [...withoutCondition(status.conditions, scheduled.type), scheduled],
    }),
  };
  return bound as unknown as JsonObject;
}
