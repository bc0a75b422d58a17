import { defaultFeatureGates, type FeatureGate } from "../../../../api/feature-gates.ts";
import { formatFieldError } from "../../../../api/field-error.ts";
import type { PodTemplateSpec } from "../../../../api/generated/core-v1.ts";
import type { KindStrategy, StrategyContext } from "../kind-strategy.ts";
import type { Sent } from "../../../../api/sent.ts";

export const template: Sent<PodTemplateSpec> = {
  metadata: { labels: { app: "web" } },
  spec: { containers: [{ name: "app", image: "nginx:1" }] },
};
export const selector = { matchLabels: { app: "web" } };

/** A strategy context with some gates off. */
export function contextWithout(...gates: readonly FeatureGate[]): StrategyContext {
  const off = Object.fromEntries(gates.map((gate) => [gate, false]));
  return { gates: { ...defaultFeatureGates, ...off }, now: 0 };
}

/** The validation errors of a new object, after its defaults. */
export function problemsOf<T>(kind: KindStrategy<T>, object: T): readonly string[] {
  const filled = kind.defaults?.(object) ?? object;
  return (kind.validate?.(filled, contextWithout()) ?? []).map(formatFieldError);
}

/** The validation errors of an update. */
export function problemsOfUpdate<T>(kind: KindStrategy<T>, next: T, previous: T): readonly string[] {
  return (kind.validateUpdate?.({ next, previous }, contextWithout()) ?? []).map(formatFieldError);
}

/** The validation errors of a status update. */
export function problemsOfStatus<T>(kind: KindStrategy<T>, next: T, previous: T): readonly string[] {
  return (kind.validateStatusUpdate?.({ next, previous }, contextWithout()) ?? []).map(formatFieldError);
}
