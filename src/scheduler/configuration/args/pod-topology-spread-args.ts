import {
  duplicate,
  type FieldError,
  forbidden,
  invalid,
  notSupported,
  required,
} from "../../../api/field-error.ts";
import type { TopologySpreadConstraint } from "../../../api/generated/core-v1.ts";
import { each } from "../../../api/kinds/field-checks.ts";
import { validateLabelKey } from "../../../api/kinds/label-selectors.ts";
import type { Sent } from "../../../api/kinds/sent.ts";
import type { PodTopologySpreadArgs } from "../../../decisions/placement/pod-topology-spread/effective-constraints.ts";
import type { DecodingContext } from "../decoding-context.ts";
import type { DocumentShape } from "../document-shape.ts";
import type { ValidationResult } from "../validate-plugins.ts";

/** The arguments as written. */
export interface SpreadArgsDocument {
  readonly defaultingType?: string;
  readonly defaultConstraints?: readonly Sent<TopologySpreadConstraint>[];
  /** The proposal's own word for it, of v1beta1 alone. */
  readonly disableDefaultConstraints?: boolean;
}

export const spreadArgsShape: DocumentShape = {
  members: {
    defaultingType: "string",
    defaultConstraints: { list: "core.v1.TopologySpreadConstraint" },
    disableDefaultConstraints: "bool",
  },
};

/** Fills in what was left out, as the dialect reads it. */
export function defaultSpreadArgs(args: SpreadArgsDocument, dialect: DecodingContext): PodTopologySpreadArgs {
  if (defaultingTypeOf(args, dialect) === "System") return { defaultingType: "System" };
  // Validation has looked at the constraints before anybody uses them.
  const defaultConstraints = (args.defaultConstraints ?? []) as readonly TopologySpreadConstraint[];
  return { defaultingType: "List", defaultConstraints };
}

function defaultingTypeOf(args: SpreadArgsDocument, { isV1beta1, gates }: DecodingContext): string {
  const { defaultingType = "", defaultConstraints, disableDefaultConstraints = false } = args;
  if (defaultingType !== "") return defaultingType;
  if (disableDefaultConstraints || !gates.DefaultPodTopologySpread) return "List";
  return isV1beta1 && defaultConstraints !== undefined ? "List" : "System";
}

const wayOut = 'add "defaultingType: List" to use this list';

/** Looks at the arguments, with every mistake of every constraint. */
export function validateSpreadArgs(
  args: SpreadArgsDocument,
  path: string,
  dialect: DecodingContext,
): ValidationResult {
  const { defaultConstraints: constraints = [], defaultingType: written = "" } = args;
  const defaultingType = defaultingTypeOf(args, dialect);
  const errors = [
    ...validateType(defaultingType, constraints.length, `${path}.defaultingType`),
    ...validateSwitch(args, `${path}.disableDefaultConstraints`, dialect),
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
  return [invalid(path, type, `when .defaultConstraints are not empty; ${wayOut}`)];
}

function validateSwitch(
  args: SpreadArgsDocument,
  path: string,
  dialect: DecodingContext,
): readonly FieldError[] {
  if (args.disableDefaultConstraints === undefined) return [];
  if (!dialect.isV1beta1)
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
