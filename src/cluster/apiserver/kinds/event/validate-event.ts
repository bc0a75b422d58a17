import { invalid, required } from "../../../../api/field-error.ts";
import { dns1123SubdomainProblems } from "../../../../api/names.ts";
import { type FieldErrors, none, requiredText } from "../../../../api/field-checks.ts";
import { validateLabelKey } from "../../../../api/labels/validate-selector.ts";

/** The fields that are validated in both versions of an event, under their core names. */
export interface EventFields {
  readonly namespace: string | undefined;
  readonly involvedNamespace: string | undefined;
  readonly eventTime: string | undefined;
  readonly reportingController: string | undefined;
  readonly reportingInstance: string | undefined;
  readonly action: string | undefined;
  readonly reason: string | undefined;
  readonly message: string | undefined;
}

const clusterNamespaces: ReadonlySet<string> = new Set(["", "default"]);

/** Validates an event of either API group; `controllerField` is the name of the field with the reporting controller. */
export function validateEventFields(event: EventFields, controllerField: string): FieldErrors {
  const errors = event.eventTime === undefined ? validateOld(event) : validateNew(event, controllerField);
  const { namespace = "" } = event;
  const problems = dns1123SubdomainProblems(namespace);
  return [...errors, ...problems.map((problem) => invalid("namespace", namespace, problem))];
}

function namespaceMismatch({ involvedNamespace = "" }: EventFields): FieldErrors {
  return [invalid("involvedObject.namespace", involvedNamespace, "does not match event.namespace")];
}

/** Validates a legacy event without `eventTime`, which must be in the namespace of the object it is about. */
function validateOld(event: EventFields): FieldErrors {
  const { namespace = "", involvedNamespace = "" } = event;
  const isInNamespace =
    involvedNamespace === "" ? clusterNamespaces.has(namespace) : namespace === involvedNamespace;
  return isInNamespace ? none : namespaceMismatch(event);
}

function validateNew(event: EventFields, controllerField: string): FieldErrors {
  const { namespace, involvedNamespace = "", reportingController, message = "" } = event;
  const isInNamespace = involvedNamespace !== "" || namespace === "default" || namespace === "kube-system";
  return [
    ...(isInNamespace ? none : namespaceMismatch(event)),
    ...requiredText(reportingController, controllerField),
    ...validateLabelKey(reportingController, controllerField),
    ...shortText(event.reportingInstance, "reportingInstance", 128),
    ...shortText(event.action, "action", 128),
    ...shortText(event.reason, "reason", 128),
    ...(message.length > 1024 ? tooLongText("message", 1024) : none),
  ];
}

function shortText(text: string | undefined, path: string, max: number): FieldErrors {
  if (text === undefined || text === "") return [required(path)];
  return text.length > max ? tooLongText(path, max) : none;
}

function tooLongText(path: string, max: number): FieldErrors {
  return [invalid(path, "", `can have at most ${max} characters`)];
}
