import type {
  MutatingWebhookConfiguration,
  ValidatingWebhookConfiguration,
} from "../../../../api/generated/admissionregistration-v1.ts";
import { ageOf } from "../../tables/cell-text.ts";
import { ageColumn, column, nameColumn, type TableDescription } from "../../tables/table-description.ts";
import type { KindPresentation, TypeDescription } from "../kind-presentation.ts";

const webhookTable: TableDescription<MutatingWebhookConfiguration | ValidatingWebhookConfiguration> = {
  columns: [nameColumn, column("Webhooks", "How many webhooks the configuration has.", "integer"), ageColumn],
  cells: (configuration, now) => [
    configuration.metadata.name,
    configuration.webhooks?.length ?? 0,
    ageOf(configuration, now),
  ],
};

const webhookFields = {
  name: "The name of the webhook, with at least three segments: check.example.com.",
  clientConfig: "Where the webhook is: a URL, or a Service that resolves to this machine.",
  rules: "The operations and resources for which the webhook is called.",
  failurePolicy: "What happens when the webhook cannot be called: Fail or Ignore.",
  matchPolicy: "Whether rules also match other versions of a resource: Equivalent or Exact.",
  namespaceSelector: "Selects the namespaces whose objects are sent, by their labels.",
  objectSelector: "Selects the objects that are sent, by their labels.",
  sideEffects: "Whether a call changes anything else: None, or NoneOnDryRun.",
  timeoutSeconds: "How long a call may take, from 1 to 30 seconds.",
  admissionReviewVersions: "The versions of AdmissionReview that the webhook understands.",
  matchConditions: "CEL expressions that all have to be true for the webhook to be called.",
};

const mutatingFields = {
  ...webhookFields,
  reinvocationPolicy:
    "Whether the webhook is called again when a later one changes the object: IfNeeded or Never.",
};

function presentationOf(
  kind: "MutatingWebhook" | "ValidatingWebhook",
  configuration: TypeDescription,
  fields: Readonly<Record<string, string>>,
): KindPresentation {
  return {
    table: webhookTable,
    descriptions: {
      [`admissionregistration.v1.${kind}Configuration`]: configuration,
      [`admissionregistration.v1.${kind}`]: { about: "A webhook that admission calls.", fields },
    },
  };
}

export const mutatingWebhookConfigurationPresentation: KindPresentation = presentationOf(
  "MutatingWebhook",
  {
    about: "Webhooks that may change an object before it is stored, or refuse it.",
    fields: { webhooks: "The webhooks, called one after the other." },
  },
  mutatingFields,
);

export const validatingWebhookConfigurationPresentation: KindPresentation = presentationOf(
  "ValidatingWebhook",
  {
    about: "Webhooks that may refuse an object before it is stored.",
    fields: { webhooks: "The webhooks, called all at once." },
  },
  webhookFields,
);
