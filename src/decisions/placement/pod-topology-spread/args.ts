import {
  anyText,
  apiType,
  type DocumentOf,
  flag,
  list,
  record,
} from "../../../api/documents/document-schema.ts";
import {
  duplicate,
  type FieldError,
  forbidden,
  invalid,
  notSupported,
  required,
} from "../../../api/field-error.ts";
import type { TopologySpreadConstraint } from "../../../api/generated/core-v1.ts";
import { each } from "../../../api/field-checks.ts";
import { validateLabelKey } from "../../../api/labels/validate-selector.ts";
import type { Sent } from "../../../api/sent.ts";
import type { DecodingContext, PluginArgsSpec, ValidationResult } from "../plugin-entry.ts";

/** The constraints of Pods that declare none. */
export type PodTopologySpreadArgs =
  /** The built-in constraints. */
  | { readonly defaultingType: "System" }
  /** The operator's list; an empty one disables defaults. */
  | { readonly defaultingType: "List"; readonly defaultConstraints?: readonly TopologySpreadConstraint[] };

export const spreadArgsSchema = record("The arguments of PodTopologySpread.", {
  defaultingType: anyText("`System`: the built-in constraints. `List`: those of `defaultConstraints`."),
  defaultConstraints: list(
    "The constraints of Pods that declare none.",
    apiType<Sent<TopologySpreadConstraint>>(
      "A constraint without a selector.",
      "core.v1.TopologySpreadConstraint",
    ),
  ),
  disableDefaultConstraints: flag("KEP-1258's own field; in v1beta1 only."),
});

/** The arguments as a file has them. */
type SpreadArgsDocument = DocumentOf<typeof spreadArgsSchema>;

export const podTopologySpreadArgs: PluginArgsSpec<PodTopologySpreadArgs> = {
  schema: spreadArgsSchema,
  setDefaults(document: SpreadArgsDocument, context) {
    if (defaultingTypeOf(document, context) === "System") return { defaultingType: "System" };
    // Validation reports invalid constraints before the plugin is made.
    const defaultConstraints = (document.defaultConstraints ?? []) as readonly TopologySpreadConstraint[];
    return { defaultingType: "List", defaultConstraints };
  },
  validate,
};

function defaultingTypeOf(args: SpreadArgsDocument, { isV1beta1, gates }: DecodingContext): string {
  const { defaultingType = "", defaultConstraints, disableDefaultConstraints = false } = args;
  if (defaultingType !== "") return defaultingType;
  if (disableDefaultConstraints || !gates.DefaultPodTopologySpread) return "List";
  return isV1beta1 && defaultConstraints !== undefined ? "List" : "System";
}

const useList = 'add "defaultingType: List" to use this list';

/** Finds every mistake of every constraint. */
function validate(args: SpreadArgsDocument, path: string, context: DecodingContext): ValidationResult {
  const { defaultConstraints: constraints = [], defaultingType: written = "" } = args;
  const defaultingType = defaultingTypeOf(args, context);
  const errors = [
    ...validateType(defaultingType, constraints.length, `${path}.defaultingType`),
    ...validateSwitch(args, `${path}.disableDefaultConstraints`, context),
    ...each(constraints, `${path}.defaultConstraints`, (constraint, at, index) => [
      ...validateConstraint(constraint, at),
      ...validateOnce(constraints, index, at),
    ]),
  ];
  const isEmptyList = args.defaultConstraints !== undefined && constraints.length === 0;
  const isMisread = isEmptyList && written === "" && defaultingType === "System";
  const warning =
    `${path}.defaultConstraints: an empty list does not disable the built-in constraints in v1; ` +
    'add "defaultingType: List" for that';
  return { errors, warnings: isMisread ? [warning] : [] };
}

function validateType(type: string, count: number, path: string): readonly FieldError[] {
  if (type !== "System" && type !== "List") return [notSupported(path, type, ["System", "List"])];
  if (type === "List" || count === 0) return [];
  return [invalid(path, type, `when .defaultConstraints are not empty; ${useList}`)];
}

function validateSwitch(
  args: SpreadArgsDocument,
  path: string,
  context: DecodingContext,
): readonly FieldError[] {
  if (args.disableDefaultConstraints === undefined) return [];
  if (!context.isV1beta1)
    return [forbidden(path, 'unknown field in v1; to disable, say "defaultingType: List" and give no list')];
  if (!args.disableDefaultConstraints) return [];
  const errors: FieldError[] = [];
  if ((args.defaultConstraints ?? []).length > 0)
    errors.push(invalid(path, true, "when .defaultConstraints are not empty"));
  if (args.defaultingType === "System") errors.push(invalid(path, true, "when .defaultingType is System"));
  return errors;
}

function validateConstraint(constraint: Sent<TopologySpreadConstraint>, path: string): readonly FieldError[] {
  const { maxSkew = 0, topologyKey = "", whenUnsatisfiable = "", labelSelector } = constraint;
  const action = `${path}.whenUnsatisfiable`;
  const errors: FieldError[] = [];
  if (maxSkew <= 0) errors.push(invalid(`${path}.maxSkew`, maxSkew, "not in valid range (0, inf)"));
  if (topologyKey === "") errors.push(required(`${path}.topologyKey`, "can not be empty"));
  else errors.push(...validateLabelKey(topologyKey, `${path}.topologyKey`));
  if (whenUnsatisfiable === "") errors.push(required(action, "can not be empty"));
  else if (!actions.includes(whenUnsatisfiable))
    errors.push(notSupported(action, whenUnsatisfiable, actions));
  if (labelSelector !== undefined) errors.push(forbidden(`${path}.labelSelector`, noSelector));
  return errors;
}

const actions = ["DoNotSchedule", "ScheduleAnyway"];
const noSelector = "constraint must not define a selector, as they deduced for each pod";

function validateOnce(
  constraints: readonly Sent<TopologySpreadConstraint>[],
  index: number,
  path: string,
): readonly FieldError[] {
  const titleOf = ({ topologyKey = "", whenUnsatisfiable = "" }: Sent<TopologySpreadConstraint>) =>
    `{${topologyKey}, ${whenUnsatisfiable}}`;
  const title = titleOf(constraints[index] ?? {});
  return constraints.slice(0, index).some((other) => titleOf(other) === title)
    ? [duplicate(path, title)]
    : [];
}
