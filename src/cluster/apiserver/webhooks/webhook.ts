import type {
  MatchCondition,
  MutatingWebhook,
  ValidatingWebhook,
  WebhookClientConfig,
} from "../../../api/generated/admissionregistration-v1.ts";
import { compileLabelSelector } from "../../../api/labels/compile-label-selector.ts";
import { type LabelSelection, nothing } from "../../../api/labels/label-selector.ts";
import type { ServedResource } from "../served-resource.ts";

/** The two kinds of webhooks. */
export type WebhookType = "mutating" | "validating";

/** A webhook of a configuration, ready to be matched. */
export interface Webhook {
  readonly type: WebhookType;
  readonly name: string;
  /** Distinguishes it from webhooks of the same name in other configurations. */
  readonly id: string;
  readonly clientConfig: WebhookClientConfig;
  readonly failsOpen: boolean;
  readonly timeoutSeconds: number;
  readonly sideEffects: string;
  readonly isReinvoked: boolean;
  readonly isExact: boolean;
  readonly rules: ValidatingWebhook["rules"];
  readonly namespaceSelection: LabelSelection;
  readonly objectSelection: LabelSelection;
  readonly matchConditions: readonly MatchCondition[];
}

/** A webhook, and the resource in whose version its rules match the request. */
export interface WebhookInvocation {
  readonly webhook: Webhook;
  readonly resource: ServedResource;
}

/** Compiles a webhook of a stored configuration, whose defaults are filled in. */
export function compileWebhook(
  type: WebhookType,
  configuration: string,
  declared: ValidatingWebhook & Pick<MutatingWebhook, "reinvocationPolicy">,
): Webhook {
  const { name, clientConfig, rules, sideEffects, timeoutSeconds = 10 } = declared;
  return {
    type,
    name,
    id: `${configuration}/${name}`,
    clientConfig,
    failsOpen: declared.failurePolicy === "Ignore",
    timeoutSeconds,
    sideEffects,
    isReinvoked: declared.reinvocationPolicy === "IfNeeded",
    isExact: declared.matchPolicy === "Exact",
    rules,
    namespaceSelection: selectionOf(declared.namespaceSelector),
    objectSelection: selectionOf(declared.objectSelector),
    matchConditions: declared.matchConditions ?? [],
  };
}

function selectionOf(selector: ValidatingWebhook["objectSelector"]): LabelSelection {
  const compiled = compileLabelSelector(selector ?? {});
  // Validation refuses a selector that does not compile.
  return compiled.ok ? compiled.selection : nothing;
}
