import { invalid, required } from "../../../../api/field-error.ts";
import type { FieldErrors } from "../../../../api/field-checks.ts";
import type { SentDefinition } from "./strategy.ts";

const annotation = "api-approved.kubernetes.io";
const reference = "see https://github.com/kubernetes/enhancements/pull/1111";
const field = `metadata.annotations[${annotation}]`;

/** How the API of a protected group was approved. */
export type Approval = "missing" | "approved" | "unapproved" | "invalid";

/** Returns how the API of a protected group was approved; `undefined` for other groups. */
export function approvalOf(definition: SentDefinition): Approval | undefined {
  if (!/(?:^|\.)(?:k8s|kubernetes)\.io$/.test(definition.spec?.group ?? "")) return undefined;
  const text = approvalText(definition);
  if (text === "") return "missing";
  if (text.startsWith("unapproved")) return "unapproved";
  return URL.canParse(text) && new URL(text).host !== "" ? "approved" : "invalid";
}

/** Returns the annotation about the approval. */
export function approvalText({ metadata }: SentDefinition): string {
  return metadata?.annotations?.[annotation] ?? "";
}

/** Validates that the API of a protected group is approved, unless the annotation is unchanged. */
export function validateApproval(definition: SentDefinition, stored?: SentDefinition): FieldErrors {
  const approval = approvalOf(definition);
  if (stored !== undefined && approvalOf(stored) === approval) return [];
  const rule = `protected groups must have approval annotation ${JSON.stringify(annotation)}`;
  if (approval === "missing") return [required(field, `${rule}, ${reference}`)];
  if (approval !== "invalid") return [];
  const why = `${rule} with either a URL or a reason starting with "unapproved", ${reference}`;
  return [invalid(field, approvalText(definition), why)];
}
