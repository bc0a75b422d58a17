import type {
  HorizontalPodAutoscaler as Narrow,
  HorizontalPodAutoscalerStatus as NarrowStatus,
} from "../../../api/generated/autoscaling-v1.ts";
import type {
  HorizontalPodAutoscaler as Wide,
  HorizontalPodAutoscalerSpec,
  HorizontalPodAutoscalerStatus,
  MetricSpec,
} from "../../../api/generated/autoscaling-v2.ts";
import type { JsonObject } from "../../../api/json.ts";
import { pick } from "../registry/pick-omit.ts";
import type { Conversion } from "../served-resource.ts";

/** Where `autoscaling/v1` keeps what it has no members for, so that a client of it loses nothing. */
const keptUnder = "autoscaling.trimtab.dev/v2";

/** What is aimed at when nobody says otherwise, in percent. */
const usualUtilization = 80;

type Kept = Pick<HorizontalPodAutoscalerSpec, "metrics" | "behavior"> &
  Pick<HorizontalPodAutoscalerStatus, "currentMetrics" | "conditions">;

/** Autoscalers are stored as `autoscaling/v2`; the older API knows one metric, the processor. */
export const autoscalerConversion: Conversion = {
  toStorage: (object) => widened(object as unknown as Narrow) as unknown as JsonObject,
  fromStorage: (object) => narrowed(object as unknown as Wide) as unknown as JsonObject,
};

function narrowed({ spec, status, metadata, ...rest }: Wide): Narrow {
  const { metrics = [], behavior: _kept, ...common } = spec;
  const utilization = metrics.find(isProcessor)?.resource?.target.averageUtilization;
  const kept = unknownToNarrow(spec, status);
  const annotations = { ...metadata.annotations, [keptUnder]: JSON.stringify(kept) };
  return {
    ...rest,
    apiVersion: "autoscaling/v1",
    metadata: Object.keys(kept).length === 0 ? metadata : { ...metadata, annotations },
    spec: { ...common, ...(utilization !== undefined && { targetCPUUtilizationPercentage: utilization }) },
    ...(status !== undefined && { status: narrowedStatus(status) }),
  };
}

function unknownToNarrow(spec: HorizontalPodAutoscalerSpec, status: Wide["status"]): Kept {
  const metrics = (spec.metrics ?? []).filter((metric) => !isProcessor(metric));
  return {
    ...(metrics.length > 0 && { metrics }),
    ...pick(spec, ["behavior"]),
    ...pick(status ?? { desiredReplicas: 0 }, ["currentMetrics", "conditions"]),
  };
}

function narrowedStatus({
  currentMetrics = [],
  conditions: _kept,
  ...common
}: HorizontalPodAutoscalerStatus) {
  const current = currentMetrics.find(({ resource }) => resource?.name === "cpu")?.resource?.current;
  const utilization = current?.averageUtilization;
  return {
    currentReplicas: 0,
    ...common,
    ...(utilization !== undefined && { currentCPUUtilizationPercentage: utilization }),
  };
}

function widened({ spec, status, metadata, ...rest }: Narrow): Wide {
  const { [keptUnder]: text, ...annotations } = metadata.annotations ?? {};
  const kept = text === undefined ? {} : parseKept(text);
  const { targetCPUUtilizationPercentage: utilization, ...common } = spec;
  const told = [...(utilization === undefined ? [] : [processor(utilization)]), ...(kept.metrics ?? [])];
  // The default of a list that only the newer API has can be filled in no sooner than here.
  const metrics = told.length > 0 ? told : [processor(usualUtilization)];
  const { annotations: _all, ...others } = metadata;
  return {
    ...rest,
    apiVersion: "autoscaling/v2",
    metadata: Object.keys(annotations).length === 0 ? others : { ...others, annotations },
    spec: {
      ...common,
      metrics,
      ...pick(kept, ["behavior"]),
    },
    ...(status !== undefined && { status: widenedStatus(status, kept) }),
  };
}

function widenedStatus(
  { currentCPUUtilizationPercentage: _shown, ...common }: NarrowStatus,
  kept: Kept,
): HorizontalPodAutoscalerStatus {
  return { ...common, ...pick(kept, ["currentMetrics", "conditions"]) };
}

function isProcessor({ resource }: MetricSpec): boolean {
  return resource?.name === "cpu" && resource.target.averageUtilization !== undefined;
}

function processor(averageUtilization: number): MetricSpec {
  return { type: "Resource", resource: { name: "cpu", target: { type: "Utilization", averageUtilization } } };
}

/** What someone edited into nonsense is as good as nothing. */
function parseKept(text: string): Kept {
  try {
    const kept: unknown = JSON.parse(text);
    return typeof kept === "object" && kept !== null && !Array.isArray(kept) ? kept : {};
  } catch {
    return {};
  }
}
