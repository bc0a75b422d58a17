import { normalForm } from "../../api/schema/semantic-equality.ts";
import { canonicalJson } from "./canonical-json.ts";

/** The text of a Pod template in which semantically equal templates are the same. */
export function canonicalTemplate(template: unknown): string {
  return canonicalJson(normalForm("core.v1.PodTemplateSpec", template));
}
