import type { PodTemplateSpec } from "../../generated/core-v1.ts";
import type { Sent } from "../sent.ts";
import { podSpecDefaults } from "../pod-spec/defaults/pod-spec.ts";

/** A template with the defaults its Pods will have. */
export function templateDefaults(template: Sent<PodTemplateSpec>): Sent<PodTemplateSpec> {
  const { spec = {} } = template;
  const filled = podSpecDefaults(spec);
  return filled === template.spec ? template : { ...template, spec: filled };
}
