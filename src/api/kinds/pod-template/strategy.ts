import type { PodTemplate } from "../../generated/core-v1.ts";
import { fillAbsent, mapMembers } from "../defaulting.ts";
import type { KindStrategy } from "../kind-strategy.ts";
import type { Sent } from "../sent.ts";
import { templateDefaults, validateTemplate } from "../workload/pod-template.ts";

/** The strategy of PodTemplates, which nothing creates Pods from. */
export const podTemplateStrategy: KindStrategy<Sent<PodTemplate>> = {
  defaults(object) {
    return mapMembers(fillAbsent(object, { template: {} }), { template: templateDefaults });
  },
  validate({ template = {} }, context, stored) {
    return validateTemplate({ template, stored: stored?.template }, "template", context);
  },
  unconditionalUpdate: true,
  returnsObjectOnDelete: true,
};
