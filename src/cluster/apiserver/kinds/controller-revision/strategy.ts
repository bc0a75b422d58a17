import { deepEqual } from "../../../../api/deep-equal.ts";
import { required } from "../../../../api/field-error.ts";
import type { ControllerRevision } from "../../../../api/generated/apps-v1.ts";
import { isJsonObject } from "../../../../api/json.ts";
import { immutableField, none, nonNegative } from "../../../../api/field-checks.ts";
import type { KindStrategy } from "../kind-strategy.ts";
import type { Sent } from "../../../../api/sent.ts";

/** The strategy of ControllerRevisions, whose data is immutable. */
export const controllerRevisionStrategy: KindStrategy<Sent<ControllerRevision>> = {
  validate({ data, revision }, _context, stored) {
    const isMissing = stored === undefined && !isJsonObject(data);
    const rule = data === undefined ? "data is mandatory" : "data must be a valid JSON object";
    return [...(isMissing ? [required("data", rule)] : none), ...nonNegative(revision, "revision")];
  },
  validateUpdate({ next, previous }) {
    return deepEqual(next.data, previous.data) ? none : [immutableField("data", next.data)];
  },
  unconditionalUpdate: true,
};
