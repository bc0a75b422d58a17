import type { FieldError } from "../../../api/field-error.ts";
import type { Json, JsonObject } from "../../../api/json.ts";
import type {
  FurtherChange,
  KindStrategy,
  ObjectUpdate,
  ValidationFindings,
} from "../kinds/kind-strategy.ts";
import { unqualifiedFinalizer } from "../kinds/object-meta/validate-object-meta.ts";
import { withObjectMeta } from "../kinds/object-meta/with-object-meta.ts";
import { metadataOf, withMetadata } from "../registry/object-meta.ts";
import { omit } from "../registry/pick-omit.ts";
import type { CustomVersion } from "./custom-kind.ts";
import { finalizerWarnings } from "./finalizer-warnings.ts";
import { requestCostBudget } from "./rules/schema-rules.ts";
import { selectableText } from "./simple-path.ts";
import { validateListTypes } from "./structural/validate-list-types.ts";
import { validateValue } from "./structural/validate-value.ts";
import { validateEmbedded } from "./validate-embedded.ts";
import { validateScalePaths } from "./validate-scale-paths.ts";

/** What the rules of a version depend on. */
type StrategyVersion = Pick<CustomVersion, "schema" | "rules" | "definition">;

type Change = FurtherChange<JsonObject>;

/** Returns the rules for objects of a custom kind in one version. Its schema prunes objects and gives them defaults. */
export function customStrategy(version: StrategyVersion): KindStrategy {
  const { subresources, selectableFields = [] } = version.definition;
  const hasStatus = subresources?.status !== undefined;
  const strategy = withObjectMeta<JsonObject>({
    generation: "content",
    unconditionalUpdate: false,
    keepsStatusOnCreate: !hasStatus,
    ordinaryStatus: !hasStatus,
    prepareForStatusUpdate: statusOnly,
    validateFurther: (change, errors) => validated(version, change, errors),
    warnings: (object, _context, stored) =>
      finalizerWarnings(metadataOf(object), stored && metadataOf(stored)),
    selectableFields: (object) =>
      Object.fromEntries(
        selectableFields.map(({ jsonPath }) => [jsonPath.slice(1), selectableText(object, jsonPath)]),
      ),
  });
  return {
    ...strategy,
    validate: (...validated) =>
      (strategy.validate?.(...validated) ?? []).filter(({ detail }) => detail !== unqualifiedFinalizer),
  };
}

/** Returns the stored object with the status of another; its labels, finalizers and all else stay as they are. */
function statusOnly({ next, previous }: ObjectUpdate): JsonObject {
  const { managedFields } = metadataOf(next);
  const { status } = next;
  const kept = withMetadata(previous, {
    ...omit(metadataOf(previous), ["managedFields"]),
    ...(managedFields !== undefined && { managedFields }),
  });
  return status === undefined ? omit(kept, ["status"]) : { ...kept, status };
}

function* schemaErrors(
  { schema, definition }: StrategyVersion,
  { next, previous }: Change,
): Generator<undefined, readonly FieldError[]> {
  const structural = schema();
  return [
    ...(yield* validateValue(next, structural, { old: previous })),
    ...validateScalePaths(next, definition.subresources?.scale),
    ...validateEmbedded(next, structural),
    ...listErrors({ value: next, stored: previous }, structural),
  ];
}

function* statusErrors(
  { schema, definition }: StrategyVersion,
  { next, previous }: Change,
): Generator<undefined, readonly FieldError[]> {
  const structural = schema();
  const status = structural.properties.get("status");
  const { status: value } = next;
  const errors =
    value === undefined || status === undefined
      ? []
      : yield* validateValue(value, status, { base: "status", old: previous?.["status"] });
  return [
    ...errors,
    ...validateScalePaths(next, definition.subresources?.scale),
    ...listErrors({ value: next, stored: previous }, structural),
  ];
}

/** upstream: repeated items are tolerated if the stored object has any. */
function listErrors(
  { value, stored }: { readonly value: Json; readonly stored: Json | undefined },
  schema: ReturnType<CustomVersion["schema"]>,
): readonly FieldError[] {
  const errors = validateListTypes(value, schema);
  const hadErrors = errors.length > 0 && stored !== undefined && validateListTypes(stored, schema).length > 0;
  return hadErrors ? [] : errors;
}

const blocking: ReadonlySet<FieldError["type"]> = new Set([
  "FieldValueRequired",
  "FieldValueNotSupported",
  "FieldValueTooLong",
  "FieldValueTooMany",
  "FieldValueTypeInvalid",
]);

const notChecked: FieldError = {
  type: "FieldValueInvalid",
  field: "<nil>",
  value: null,
  detail:
    "some validation rules were not checked because the object was invalid; correct the existing errors to " +
    "complete validation",
};

/** Validates an object by its schema and by the rules in it, unless it has errors with which those cannot be evaluated. */
function* validated(
  version: StrategyVersion,
  change: Change,
  errors: readonly FieldError[],
): Generator<undefined, ValidationFindings> {
  const found = yield* change.isOfStatus === true
    ? statusErrors(version, change)
    : schemaErrors(version, change);
  const compiled = version.rules();
  if (compiled === undefined) return { errors: found, warnings: [] };
  if ([...errors, ...found].some(({ type }) => blocking.has(type)))
    return { errors: [...found, notChecked], warnings: [] };
  const budget = { left: requestCostBudget };
  const ofRules = yield* compiled.evaluate({ object: change.next, oldObject: change.previous, budget });
  return { errors: [...found, ...ofRules.errors], warnings: ofRules.warnings };
}
