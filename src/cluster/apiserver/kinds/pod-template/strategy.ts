import type { PodTemplate } from "../../../../api/generated/core-v1.ts";
import { fillAbsent, mapMembers } from "../../../../api/defaulting.ts";
import type { KindStrategy } from "../kind-strategy.ts";
import { podWarnings } from "../pod-spec/pod-warnings.ts";
import type { Sent } from "../../../../api/sent.ts";
import { isSameGeneration, templateDefaults, validateTemplate } from "../workload/pod-template.ts";

/** The strategy of PodTemplates, which nothing creates Pods from. */
export const podTemplateStrategy: KindStrategy<Sent<PodTemplate>> = {
  defaults(object) {
    return mapMembers(fillAbsent(object, { template: {} }), { template: templateDefaults });
  },
  validate({ template = {} }, context, stored) {
    return validateTemplate({ template, stored: stored?.template }, "template", context);
  },
  warnings(object, _context, stored) {
    return isSameGeneration(object, stored) ? [] : podWarnings(object.template, "template");
  },
  generation: "template",
  unconditionalUpdate: true,
  returnsObjectOnDelete: true,
};
