import type { AutoscalerNotice, SelectedPods } from "./autoscaling-plan.ts";

export const warning = (reason: string, message: string): AutoscalerNotice => ({
  type: "Warning",
  reason,
  message,
});

/** Why the Pods of a target are not known, as an event and as a condition. */
export function selectionProblem(selected: Exclude<SelectedPods, { readonly kind: "pods" }>) {
  if (selected.kind === "no-selector") {
    const message = "the HPA target's scale is missing a selector";
    return {
      notice: warning("SelectorRequired", "selector is required"),
      condition: { reason: "InvalidSelector", message },
    };
  }
  const isMalformed = selected.kind === "malformed";
  const reason = isMalformed ? "InvalidSelector" : "AmbiguousSelector";
  const message = isMalformed
    ? `couldn't convert selector into a corresponding internal selector object: ${selected.problem}`
    : `pods by selector ${selected.selector} are controlled by multiple HPAs: [${selected.autoscalers.join(" ")}]`;
  return { notice: warning(reason, message), condition: { reason, message } };
}
