import { duplicate, type FieldError, forbidden, invalid, required } from "../../api/field-error.ts";
import type { ConfigurationDocument } from "./document-shape.ts";
import { defaultBackoffSeconds } from "./scheduler-config.ts";

/** Validates everything in a file but the plugins of its profiles. */
export function validateDocument(document: ConfigurationDocument): readonly FieldError[] {
  return [
    ...validateParallelism(document.parallelism),
    ...validatePercentage(document.percentageOfNodesToScore, "percentageOfNodesToScore"),
    ...validateBackoff(document),
    ...validateLeaderElection(document.leaderElection ?? {}),
    ...((document.extenders ?? []).length > 0 ? [forbidden("extenders", "not supported")] : []),
    ...validateProfiles(document.profiles ?? []),
  ];
}

function validateParallelism(parallelism = 16): readonly FieldError[] {
  return parallelism > 0
    ? []
    : [invalid("parallelism", parallelism, "should be an integer value greater than zero")];
}

function validatePercentage(percentage = 0, path: string): readonly FieldError[] {
  return percentage >= 0 && percentage <= 100
    ? []
    : [invalid(path, percentage, "not in valid range [0-100]")];
}

function validateBackoff(document: ConfigurationDocument): readonly FieldError[] {
  const {
    podInitialBackoffSeconds: initial = defaultBackoffSeconds.initial,
    podMaxBackoffSeconds: max = defaultBackoffSeconds.max,
  } = document;
  return [
    ...(initial > 0 ? [] : [invalid("podInitialBackoffSeconds", initial, "must be greater than 0")]),
    ...(max >= initial
      ? []
      : [invalid("podMaxBackoffSeconds", max, "must be greater than or equal to PodInitialBackoffSeconds")]),
  ];
}

function validateLeaderElection({
  leaderElect = true,
  resourceLock = "leases",
}: NonNullable<ConfigurationDocument["leaderElection"]>): readonly FieldError[] {
  return !leaderElect || resourceLock === "leases"
    ? []
    : [invalid("leaderElection.resourceLock", resourceLock, 'resourceLock value must be "leases"')];
}

/** A single profile may be without a name; several need different names. */
function validateProfiles(profiles: NonNullable<ConfigurationDocument["profiles"]>): readonly FieldError[] {
  return profiles.flatMap(({ schedulerName = "", percentageOfNodesToScore }, index) => {
    const path = `profiles[${index}]`;
    const isRepeated = profiles.slice(0, index).some((other) => other.schedulerName === schedulerName);
    return [
      ...(schedulerName === "" && profiles.length > 1 ? [required(`${path}.schedulerName`)] : []),
      ...(schedulerName !== "" && isRepeated ? [duplicate(`${path}.schedulerName`, schedulerName)] : []),
      ...validatePercentage(percentageOfNodesToScore, `${path}.percentageOfNodesToScore`),
    ];
  });
}
