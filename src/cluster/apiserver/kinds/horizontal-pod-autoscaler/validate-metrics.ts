import { forbidden, invalid, notSupported, required } from "../../../../api/field-error.ts";
import type {
  ContainerResourceMetricSource,
  CrossVersionObjectReference,
  ExternalMetricSource,
  MetricIdentifier,
  MetricSpec,
  MetricTarget,
  ObjectMetricSource,
  PodsMetricSource,
  ResourceMetricSource,
} from "../../../../api/generated/autoscaling-v2.ts";
import { dns1123LabelProblems, pathSegmentProblems } from "../../../../api/names.ts";
import { parseQuantity } from "../../../../api/quantity/quantity.ts";
import { type FieldErrors, none, requiredText, wellFormed } from "../../../../api/field-checks.ts";
import type { Sent } from "../../../../api/sent.ts";
import { validateApiVersion } from "./api-version.ts";

type Source = "object" | "external" | "pods" | "resource" | "containerResource";

/** In the order of the checks: only the first source that is present is validated. */
const sources: readonly Source[] = ["object", "external", "pods", "resource", "containerResource"];

const sourceOfType: Readonly<Partial<Record<string, Source>>> = {
  ContainerResource: "containerResource",
  External: "external",
  Object: "object",
  Pods: "pods",
  Resource: "resource",
};

/** Validates one metric and its target. */
export function validateMetric(metric: Sent<MetricSpec>, path: string): FieldErrors {
  const { type = "" } = metric;
  const expected = Object.hasOwn(sourceOfType, type) ? sourceOfType[type] : undefined;
  const present = sources.filter((source) => metric[source] !== undefined);
  const others = present.length === 1 ? [] : present.filter((source) => source !== expected);
  return [
    ...(type === "" ? [required(`${path}.type`, "must specify a metric source type")] : none),
    ...(expected === undefined ? [notSupported(`${path}.type`, type, Object.keys(sourceOfType))] : none),
    ...validateSource(metric, present[0], path),
    ...(expected !== undefined && !present.includes(expected)
      ? [required(`${path}.${expected}`, "must populate information for the given metric source")]
      : none),
    ...others.map((other) => forbidden(`${path}.${other}`, "must populate the given metric source only")),
  ];
}

function validateSource(metric: Sent<MetricSpec>, source: Source | undefined, path: string): FieldErrors {
  const at = `${path}.${source}`;
  switch (source) {
    case undefined:
      return none;
    case "object":
      return validateObject(metric.object ?? {}, at);
    case "external":
      return validateExternal(metric.external ?? {}, at);
    case "pods":
      return validatePods(metric.pods ?? {}, at);
    case "resource":
      return validateResource(metric.resource ?? {}, at);
    case "containerResource":
      return validateContainerResource(metric.containerResource ?? {}, at);
  }
}

function validateObject(
  { describedObject = {}, metric = {}, target = {} }: Sent<ObjectMetricSource>,
  path: string,
): FieldErrors {
  return [
    ...validateReference(describedObject, `${path}.describedObject`),
    ...validateApiVersion(describedObject.apiVersion ?? "", `${path}.describedObject.apiVersion`, {
      allowsCore: true,
    }),
    ...validateIdentifier(metric, `${path}.metric`),
    ...validateTarget(target, `${path}.target`),
    ...(target.value === undefined && target.averageValue === undefined
      ? [required(`${path}.target.averageValue`, "must set either a target value or averageValue")]
      : none),
  ];
}

/** Validates kind and name of a reference. */
export function validateReference(
  { kind, name }: Sent<CrossVersionObjectReference>,
  path: string,
): FieldErrors {
  return [
    ...requiredText(kind, `${path}.kind`, pathSegmentProblems),
    ...requiredText(name, `${path}.name`, pathSegmentProblems),
  ];
}

function validateExternal(
  { metric = {}, target = {} }: Sent<ExternalMetricSource>,
  path: string,
): FieldErrors {
  const { value, averageValue } = target;
  const missing = "must set either a target value for metric or a per-pod target";
  const both = "may not set both a target value for metric and a per-pod target";
  return [
    ...validateIdentifier(metric, `${path}.metric`),
    ...validateTarget(target, `${path}.target`),
    ...(value === undefined && averageValue === undefined
      ? [required(`${path}.target.averageValue`, missing)]
      : none),
    ...(value !== undefined && averageValue !== undefined ? [forbidden(`${path}.target.value`, both)] : none),
  ];
}

function validatePods({ metric = {}, target = {} }: Sent<PodsMetricSource>, path: string): FieldErrors {
  return [
    ...validateIdentifier(metric, `${path}.metric`),
    ...validateTarget(target, `${path}.target`),
    ...(target.averageValue === undefined
      ? [required(`${path}.target.averageValue`, "must specify a positive target averageValue")]
      : none),
  ];
}

function validateResource({ name = "", target = {} }: Sent<ResourceMetricSource>, path: string): FieldErrors {
  return [
    ...(name === "" ? [required(`${path}.name`, "must specify a resource name")] : none),
    ...validateResourceTarget(target, `${path}.target`),
  ];
}

function validateContainerResource(
  { name = "", container = "", target = {} }: Sent<ContainerResourceMetricSource>,
  path: string,
): FieldErrors {
  return [
    ...(name === "" ? [required(`${path}.name`, "must specify a resource name")] : none),
    ...(container === ""
      ? [required(`${path}.container`, "must specify a container")]
      : wellFormed(container, `${path}.container`, dns1123LabelProblems)),
    ...validateResourceTarget(target, `${path}.target`),
  ];
}

function validateResourceTarget(target: Sent<MetricTarget>, path: string): FieldErrors {
  const { averageUtilization, averageValue } = target;
  const missing = "must set either a target raw value or a target utilization";
  const both = "may not set both a target raw value and a target utilization";
  return [
    ...validateTarget(target, path),
    ...(averageUtilization === undefined && averageValue === undefined
      ? [required(`${path}.averageUtilization`, missing)]
      : none),
    ...(averageUtilization !== undefined && averageValue !== undefined
      ? [forbidden(`${path}.averageValue`, both)]
      : none),
  ];
}

function validateIdentifier({ name }: Sent<MetricIdentifier>, path: string): FieldErrors {
  return name === undefined || name === ""
    ? [required(`${path}.name`, "must specify a metric name")]
    : wellFormed(name, `${path}.name`, pathSegmentProblems);
}

function validateTarget(target: Sent<MetricTarget>, path: string): FieldErrors {
  const { type = "", averageUtilization } = target;
  const isKnown = type === "Utilization" || type === "Value" || type === "AverageValue";
  return [
    ...(type === "" ? [required(`${path}.type`, "must specify a metric target type")] : none),
    ...(isKnown
      ? none
      : [invalid(`${path}.type`, type, "must be either Utilization, Value, or AverageValue")]),
    ...positiveQuantity(target.value, `${path}.value`),
    ...positiveQuantity(target.averageValue, `${path}.averageValue`),
    ...(averageUtilization !== undefined && averageUtilization < 1
      ? [invalid(`${path}.averageUtilization`, averageUtilization, "must be greater than 0")]
      : none),
  ];
}

function positiveQuantity(value: string | number | undefined, path: string): FieldErrors {
  const quantity = parseQuantity(value);
  return quantity === undefined || quantity.nanos > 0n ? none : [invalid(path, value, "must be positive")];
}
