import { tableSchema } from "../schema/table-schema.ts";
import { type FieldError, invalid, notSupported } from "../../../api/field-error.ts";
import type { DeleteOptions } from "../../../api/generated/meta-v1.ts";
import { decodeBody } from "../decoding/decode-body.ts";
import { pick } from "../registry/pick-omit.ts";
import { invalidObject } from "../status-errors.ts";
import type { ApiRequest } from "./api-request.ts";
import { writeOptionsOf } from "./write-options.ts";

/** The fate of the dependents of a deleted object. */
export type Propagation = "Orphan" | "Background" | "Foreground";

/** The options of a delete, from its body and its query. */
export interface Deletion {
  readonly gracePeriodSeconds?: number;
  readonly preconditions?: { readonly uid?: string; readonly resourceVersion?: string };
  /** Absent: decided by the object's finalizers, otherwise by the default of its kind. */
  readonly propagation?: Propagation;
  /** Whether that default is Orphan instead of Background. */
  readonly orphansByDefault?: boolean;
  /** Deprecated; it changes the status code of the response. */
  readonly orphanDependents?: boolean;
  readonly dryRun: boolean;
}

const deleteOptions = { kind: "DeleteOptions", schema: tableSchema("meta.v1.DeleteOptions") };
const propagations: readonly string[] = ["Foreground", "Background", "Orphan"];

/** Reads the options of a delete, where the body overrides the query; throws 400 or 422 for invalid ones. */
export function deletionOf(request: ApiRequest): Deletion {
  const body: DeleteOptions =
    request.body === undefined ? {} : decodeBody(request.body, deleteOptions).object;
  const options = { ...fromQuery(request), ...body };
  const errors = problemsOf(options);
  if (errors.length > 0) throw invalidObject({ group: "meta.k8s.io", kind: "DeleteOptions" }, "", errors);
  const { dryRun } = writeOptionsOf({ dryRun: options.dryRun }, "DeleteOptions");
  return {
    ...pick(options, ["gracePeriodSeconds", "preconditions", "orphanDependents"]),
    ...propagationOf(options),
    dryRun,
  };
}

function fromQuery({ options }: ApiRequest): DeleteOptions {
  return pick(options, [
    "gracePeriodSeconds",
    "propagationPolicy",
    "orphanDependents",
    "dryRun",
  ]) as DeleteOptions;
}

function problemsOf({ propagationPolicy, orphanDependents }: DeleteOptions): FieldError[] {
  if (propagationPolicy === undefined) return [];
  const errors: FieldError[] = [];
  if (orphanDependents !== undefined)
    errors.push(
      invalid(
        "propagationPolicy",
        propagationPolicy,
        "orphanDependents and deletionPropagation cannot be both set",
      ),
    );
  if (!propagations.includes(propagationPolicy))
    errors.push(notSupported("propagationPolicy", propagationPolicy, [...propagations, "nil"]));
  return errors;
}

function propagationOf({
  propagationPolicy,
  orphanDependents,
}: DeleteOptions): Pick<Deletion, "propagation"> {
  if (propagationPolicy !== undefined) return { propagation: propagationPolicy as Propagation };
  if (orphanDependents === undefined) return {};
  return { propagation: orphanDependents ? "Orphan" : "Background" };
}
