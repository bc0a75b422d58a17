import type {
  HorizontalPodAutoscaler as AutoscalerV1,
  HorizontalPodAutoscalerStatus as StatusV1,
} from "../../../../api/generated/autoscaling-v1.ts";
import type {
  HorizontalPodAutoscaler as AutoscalerV2,
  HorizontalPodAutoscalerSpec,
  HorizontalPodAutoscalerStatus,
  MetricSpec,
} from "../../../../api/generated/autoscaling-v2.ts";
import { isJsonObject, type JsonObject } from "../../../../api/json.ts";
import { parseJson } from "../../../../api/parse-json.ts";
import { pick } from "../../registry/pick-omit.ts";
import type { Conversion } from "../../served-resource.ts";

/** The annotation that carries what `autoscaling/v1` has no fields for, so that its clients lose nothing. */
const v2FieldsAnnotation = "autoscaling.trimtab.dev/v2";

/** The default target for CPU utilization, in percent. */
const defaultUtilization = 80;

type V2Fields = Pick<HorizontalPodAutoscalerSpec, "metrics" | "behavior"> &
  Pick<HorizontalPodAutoscalerStatus, "currentMetrics" | "conditions">;

/**
 * Converts HorizontalPodAutoscalers, which are stored as `autoscaling/v2`; `autoscaling/v1` has one metric, CPU
 * utilization.
 */
export const autoscalerConversion: Conversion = {
  toStorage: (object) => toV2(withParts(object) as unknown as AutoscalerV1) as unknown as JsonObject,
  fromStorage: (object) => toV1(withParts(object) as unknown as AutoscalerV2) as unknown as JsonObject,
};

/** An apply converts objects without the fields that have no manager: metadata and spec may be missing. */
function withParts(object: JsonObject): JsonObject {
  const { metadata, spec } = object;
  return isJsonObject(metadata) && isJsonObject(spec)
    ? object
    : {
        ...object,
        metadata: isJsonObject(metadata) ? metadata : {},
        spec: isJsonObject(spec) ? spec : {},
      };
}

function toV1({ spec, status, metadata, ...rest }: AutoscalerV2): AutoscalerV1 {
  const { metrics = [], behavior: _kept, ...common } = spec;
  const utilization = metrics.find(isCpuUtilization)?.resource?.target.averageUtilization;
  const v2Fields = fieldsUnknownToV1(spec, status);
  const annotations = { ...metadata.annotations, [v2FieldsAnnotation]: JSON.stringify(v2Fields) };
  return {
    ...rest,
    apiVersion: "autoscaling/v1",
    metadata: Object.keys(v2Fields).length === 0 ? metadata : { ...metadata, annotations },
    spec: { ...common, ...(utilization !== undefined && { targetCPUUtilizationPercentage: utilization }) },
    ...(status !== undefined && { status: statusToV1(status) }),
  };
}

function fieldsUnknownToV1(spec: HorizontalPodAutoscalerSpec, status: AutoscalerV2["status"]): V2Fields {
  const metrics = (spec.metrics ?? []).filter((metric) => !isCpuUtilization(metric));
  return {
    ...(metrics.length > 0 && { metrics }),
    ...pick(spec, ["behavior"]),
    ...pick(status ?? { desiredReplicas: 0 }, ["currentMetrics", "conditions"]),
  };
}

function statusToV1({ currentMetrics = [], conditions: _kept, ...common }: HorizontalPodAutoscalerStatus) {
  const current = currentMetrics.find(({ resource }) => resource?.name === "cpu")?.resource?.current;
  const utilization = current?.averageUtilization;
  return {
    currentReplicas: 0,
    ...common,
    ...(utilization !== undefined && { currentCPUUtilizationPercentage: utilization }),
  };
}

function toV2({ spec, status, metadata, ...rest }: AutoscalerV1): AutoscalerV2 {
  const { [v2FieldsAnnotation]: text, ...annotations } = metadata.annotations ?? {};
  const v2Fields = text === undefined ? {} : parseV2Fields(text);
  const { targetCPUUtilizationPercentage: utilization, ...common } = spec;
  const given = [
    ...(utilization === undefined ? [] : [cpuUtilization(utilization)]),
    ...(v2Fields.metrics ?? []),
  ];
  // v1 has no list of metrics, so its default is set here.
  const metrics = given.length > 0 ? given : [cpuUtilization(defaultUtilization)];
  const { annotations: _all, ...others } = metadata;
  return {
    ...rest,
    apiVersion: "autoscaling/v2",
    metadata: Object.keys(annotations).length === 0 ? others : { ...others, annotations },
    spec: {
      ...common,
      metrics,
      ...pick(v2Fields, ["behavior"]),
    },
    ...(status !== undefined && { status: statusToV2(status, v2Fields) }),
  };
}

function statusToV2(
  { currentCPUUtilizationPercentage: _shown, ...common }: StatusV1,
  v2Fields: V2Fields,
): HorizontalPodAutoscalerStatus {
  return { ...common, ...pick(v2Fields, ["currentMetrics", "conditions"]) };
}

function isCpuUtilization({ resource }: MetricSpec): boolean {
  return resource?.name === "cpu" && resource.target.averageUtilization !== undefined;
}

function cpuUtilization(averageUtilization: number): MetricSpec {
  return { type: "Resource", resource: { name: "cpu", target: { type: "Utilization", averageUtilization } } };
}

/** Parses the annotation; text that is not valid JSON is ignored. */
function parseV2Fields(text: string): V2Fields {
  const read = parseJson(text);
  return read.ok && isJsonObject(read.value) ? read.value : {};
}
