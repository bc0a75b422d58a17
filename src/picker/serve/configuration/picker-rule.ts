import { parseDuration } from "../../../api/duration.ts";
import { compileLabelSelector } from "../../../api/labels/compile-label-selector.ts";
import { type LabelSelection, nothing } from "../../../api/labels/label-selector.ts";
import type { PickerDocument } from "./picker-configuration.ts";
import { parseProtectRule, type ProtectRule } from "./protect-rule.ts";
import type { ScoreDocument } from "./score-schemas.ts";

/** Which workloads a rule is for. */
export type Meant =
  | { readonly by: "name"; readonly namespace: string; readonly kind: string; readonly name: string }
  | {
      readonly by: "labels";
      /** Absent: all. */
      readonly namespaces?: readonly string[] | undefined;
      readonly selection: LabelSelection;
    };

/** One entry of the configuration, with its defaults. */
export interface PickerRule {
  readonly name: string;
  readonly meant: Meant;
  readonly score: ScoreDocument;
  /** What a Pod without a number counts as. */
  readonly missing: number;
  readonly protect?: ProtectRule | undefined;
  readonly onError: "protect" | "ignore";
  readonly timeoutMs: number;
}

/** Less than the 900 ms after which the kit gives up, which is less than the second that controllers wait. */
const defaultTimeoutMs = 700;

/** The rule of an entry that was read without errors. */
export function pickerRule(document: PickerDocument): PickerRule {
  const { name, score, missing = 0, protect, onError = "ignore", timeout } = document;
  return {
    name,
    meant: meantBy(document),
    score,
    missing: missing === "first" ? -Infinity : missing === "last" ? Infinity : missing,
    ...(protect !== undefined && { protect: parseProtectRule(protect) }),
    onError,
    timeoutMs: timeout === undefined ? defaultTimeoutMs : (parseDuration(timeout) ?? defaultTimeoutMs),
  };
}

function meantBy({ workload, selector, namespaces }: PickerDocument): Meant {
  if (workload !== undefined) {
    const { namespace, kind = "Deployment", name } = workload;
    return { by: "name", namespace, kind, name };
  }
  const compiled = compileLabelSelector(selector);
  // The schema has checked the selector.
  return { by: "labels", namespaces, selection: compiled.ok ? compiled.selection : nothing };
}

/** The namespaces that rules are about; `undefined` if some rule is about all. */
export function namespacesOf(rules: readonly PickerRule[]): readonly string[] | undefined {
  const all = rules.map(({ meant }) => (meant.by === "name" ? [meant.namespace] : meant.namespaces));
  return all.some((names) => names === undefined)
    ? undefined
    : [...new Set(all.flatMap((names) => names ?? []))];
}
