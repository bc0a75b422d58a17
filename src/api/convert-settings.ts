import { deepEqual } from "./deep-equal.ts";
import { type FieldError, type FieldPath, forbidden, formatFieldPath, invalid } from "./field-error.ts";
import { isJsonObject, type Json, type JsonObject } from "./json.ts";
import { parseJson } from "./parse-json.ts";
import { downscalePodPickerAnnotation, podReplacementPolicyAnnotation } from "./workload-settings.ts";

/** How a workload spells Trimtab's settings: as annotations, which every API server stores, or as fields of our own. */
export type SettingsForm = "stock" | "trimtab";

/** A setting that moves from one member of an object to another. */
export interface SettingMove {
  readonly from: FieldPath;
  readonly to: FieldPath;
  /** What is written there; absent: the setting is there already, or is null, which counts as unset. */
  readonly value?: Json;
}

export type ConvertedSettings =
  | { readonly ok: true; readonly moves: readonly SettingMove[] }
  | { readonly ok: false; readonly errors: readonly SettingError[] };

/** Why a setting cannot be converted, and the way to the member that is at fault. */
export interface SettingError {
  readonly path: FieldPath;
  readonly error: FieldError;
}

/** A value in its other form, or what is wrong with it. */
type Spelled = { readonly value: Json } | { readonly problem: string };

interface Setting {
  readonly field: string;
  readonly annotation: string;
  readonly kinds: readonly string[];
  readonly asAnnotation: (value: Json) => Spelled;
  readonly asField: (text: string) => Spelled;
}

const settings: readonly Setting[] = [
  {
    field: "downscalePodPicker",
    annotation: downscalePodPickerAnnotation,
    kinds: ["Deployment", "ReplicaSet"],
    asAnnotation: (value) =>
      isJsonObject(value) ? { value: JSON.stringify(value) } : { problem: "must be an object" },
    asField: (text) => {
      const parsed = parseJson(text);
      if (!parsed.ok) return { problem: "must be JSON" };
      return isJsonObject(parsed.value) || parsed.value === null
        ? { value: parsed.value }
        : { problem: "must be an object" };
    },
  },
  {
    field: "podReplacementPolicy",
    annotation: podReplacementPolicyAnnotation,
    kinds: ["Deployment"],
    asAnnotation: (value) => (typeof value === "string" ? { value } : { problem: "must be a text" }),
    asField: (text) => ({ value: text }),
  },
];

/** Says which settings of an object, or of the items of a list, have to move for it to have the given form. */
export function convertSettings(object: Json, form: SettingsForm): ConvertedSettings {
  const found = [...workloadsIn(object, [])].flatMap(({ workload, path }) =>
    settings
      .filter(
        ({ kinds }) =>
          workload["apiVersion"] === "apps/v1" && kinds.some((kind) => kind === workload["kind"]),
      )
      .flatMap((setting) => convert(setting, { workload, path, form })),
  );
  const errors = found.filter((each) => "error" in each);
  return errors.length > 0
    ? { ok: false, errors }
    : { ok: true, moves: found.filter((each) => "from" in each) };
}

interface Located {
  readonly workload: JsonObject;
  readonly path: FieldPath;
}

function* workloadsIn(object: Json, path: FieldPath): Generator<Located> {
  if (!isJsonObject(object)) return;
  const { kind, items } = object;
  yield { workload: object, path };
  // Lists are flat: an item is no list of its own.
  if (typeof kind !== "string" || !kind.endsWith("List") || !Array.isArray(items)) return;
  for (const [index, item] of (items as readonly Json[]).entries())
    if (isJsonObject(item)) yield { workload: item, path: [...path, "items", index] };
}

function convert(
  setting: Setting,
  { workload, path, form }: Located & { readonly form: SettingsForm },
): readonly (SettingMove | SettingError)[] {
  const field = settingAt(workload, path, ["spec", setting.field]);
  const annotation = settingAt(workload, path, ["metadata", "annotations", setting.annotation]);
  const [from, to] = form === "stock" ? [field, annotation] : [annotation, field];
  if (from.value === undefined) return [];
  const spelled = spell(setting, from.value, form);
  if ("problem" in spelled)
    return [{ path: from.path, error: invalid(shown(from.path), from.value, spelled.problem) }];
  const isAway = spelled.value === null || isSame(setting, field.value, annotation.value);
  if (isAway) return [{ from: from.path, to: to.path }];
  if ((to.value ?? null) !== null) {
    const detail = `${shown(to.path)} says something else; remove one of them`;
    return [{ path: from.path, error: forbidden(shown(from.path), detail) }];
  }
  return [{ from: from.path, to: to.path, value: spelled.value }];
}

function settingAt(workload: JsonObject, path: FieldPath, member: readonly string[]) {
  let value: Json | undefined = workload;
  for (const name of member)
    value = isJsonObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
  return { path: [...path, ...member], value };
}

function spell({ asAnnotation, asField }: Setting, value: Json, form: SettingsForm): Spelled {
  if (value === null) return { value };
  if (form === "stock") return asAnnotation(value);
  return typeof value === "string" ? asField(value) : { problem: "must be a text" };
}

/** The path as messages show it; the name of an annotation has dots of its own. */
function shown(path: FieldPath): string {
  const name = path.at(-1);
  return typeof name === "string" && name.includes("/")
    ? `${formatFieldPath(path.slice(0, -1))}[${name}]`
    : formatFieldPath(path);
}

/** Whether the field and the annotation are both there and say the same. */
function isSame({ asField }: Setting, field: Json | undefined, text: Json | undefined): boolean {
  if (field === undefined || typeof text !== "string") return false;
  const spelled = asField(text);
  return "value" in spelled && deepEqual(spelled.value, field);
}
