import { duplicate, invalid, required, tooMany } from "../../../../api/field-error.ts";
import type {
  MatchCondition,
  MutatingWebhook,
  ServiceReference,
  ValidatingWebhook,
  WebhookClientConfig,
} from "../../../../api/generated/admissionregistration-v1.ts";
import { qualifiedNameProblems } from "../../../../api/labels/label-syntax.ts";
import { dns1035LabelProblems, dns1123SubdomainProblems } from "../../../../api/names.ts";
import {
  each,
  type FieldErrors,
  none,
  portNumber,
  requiredOneOf,
  requiredText,
  supported,
  wellFormed,
} from "../../../../api/field-checks.ts";
import { validateSelector } from "../../../../api/labels/validate-selector.ts";
import type { Sent } from "../../../../api/sent.ts";
import { validateRule } from "./validate-rule.ts";

type Webhook = Sent<ValidatingWebhook & Pick<MutatingWebhook, "reinvocationPolicy">>;

/** Validates one webhook of a configuration. */
export function validateWebhook(webhook: Webhook, path: string): FieldErrors {
  return [
    ...validateName(webhook.name, `${path}.name`),
    ...each(webhook.rules, `${path}.rules`, validateRule),
    ...supported(webhook.failurePolicy, `${path}.failurePolicy`, ["Fail", "Ignore"]),
    ...supported(webhook.matchPolicy, `${path}.matchPolicy`, ["Equivalent", "Exact"]),
    ...supported(webhook.reinvocationPolicy, `${path}.reinvocationPolicy`, ["IfNeeded", "Never"]),
    ...requiredOneOf(webhook.sideEffects, `${path}.sideEffects`, ["None", "NoneOnDryRun"]),
    ...validateTimeout(webhook.timeoutSeconds, `${path}.timeoutSeconds`),
    ...validateSelector(webhook.namespaceSelector, `${path}.namespaceSelector`),
    ...validateSelector(webhook.objectSelector, `${path}.objectSelector`),
    ...validateReviewVersions(webhook.admissionReviewVersions, `${path}.admissionReviewVersions`),
    ...validateConditions(webhook.matchConditions ?? [], `${path}.matchConditions`),
    ...validateClientConfig(webhook.clientConfig ?? {}, `${path}.clientConfig`),
  ];
}

function validateName(name: string | undefined, path: string): FieldErrors {
  const errors = requiredText(name, path, dns1123SubdomainProblems);
  if (errors.length > 0 || name === undefined || name.split(".").length >= 3) return errors;
  return [invalid(path, name, "should be a domain with at least three segments separated by dots")];
}

function validateTimeout(seconds: number | undefined, path: string): FieldErrors {
  return seconds === undefined || (seconds >= 1 && seconds <= 30)
    ? none
    : [invalid(path, seconds, "the timeout value must be between 1 and 30 seconds")];
}

function validateReviewVersions(versions: readonly string[] | undefined, path: string): FieldErrors {
  if (versions === undefined || versions.length === 0)
    return [required(path, "must specify one of v1, v1beta1")];
  const errors = each(versions, path, (version, at) => wellFormed(version, at, dns1035LabelProblems));
  if (errors.length > 0 || versions.includes("v1")) return errors;
  return [invalid(path, versions, "must include v1: this server sends reviews of no other version")];
}

const mostConditions = 64;

/** Validates names and numbers of conditions; their expressions are compiled elsewhere. */
export function validateConditions(conditions: readonly Sent<MatchCondition>[], path: string): FieldErrors {
  if (conditions.length > mostConditions) return [tooMany(path, conditions.length, mostConditions)];
  const names = conditions.map(({ name }) => name);
  return each(conditions, path, ({ name, expression }, at, index) => [
    ...requiredText(name, `${at}.name`, qualifiedNameProblems),
    ...requiredText(expression?.trim(), `${at}.expression`),
    ...(name !== undefined && names.indexOf(name) < index ? [duplicate(`${at}.name`, name)] : none),
  ]);
}

function validateClientConfig({ url, service }: Sent<WebhookClientConfig>, path: string): FieldErrors {
  if ((url === undefined) === (service === undefined))
    return [required(path, "exactly one of url or service is required")];
  return url === undefined
    ? validateServiceReference(service ?? {}, `${path}.service`)
    : validateUrl(url, `${path}.url`);
}

/** Validates the URL of a webhook. */
export function validateUrl(text: string, path: string): FieldErrors {
  if (!URL.canParse(text)) return [required(path, `url must be a valid URL: ${JSON.stringify(text)}`)];
  const { protocol, hostname, username, password, hash, search } = new URL(text);
  const form = "; desired format: https://host[/path]";
  const problem = (isThere: boolean, why: string) =>
    isThere ? [invalid(path, text, `${why}${form}`)] : none;
  return [
    ...problem(protocol !== "https:", "'https' is the only allowed URL scheme"),
    ...problem(hostname === "", "host must be specified"),
    ...problem(username !== "" || password !== "", "user information is not permitted in the URL"),
    ...problem(hash !== "", "fragments are not permitted in the URL"),
    ...problem(search !== "", "query parameters are not permitted in the URL"),
  ];
}

/** Validates the reference to the Service of a webhook. */
export function validateServiceReference(service: Sent<ServiceReference>, path: string): FieldErrors {
  return [
    ...requiredText(service.name, `${path}.name`),
    ...requiredText(service.namespace, `${path}.namespace`),
    ...portNumber(service.port ?? 443, `${path}.port`),
    ...validatePath(service.path, `${path}.path`),
  ];
}

function validatePath(urlPath: string | undefined, path: string): FieldErrors {
  if (urlPath === undefined || urlPath === "/") return none;
  if (!urlPath.startsWith("/")) return [invalid(path, urlPath, "must start with a '/'")];
  const steps = urlPath.replace(/\/$/, "").slice(1).split("/");
  return steps.flatMap((step, index) => {
    if (step === "") return [invalid(path, urlPath, `segment[${index}] may not be empty`)];
    return dns1123SubdomainProblems(step).map((problem) =>
      invalid(path, urlPath, `segment[${index}]: ${problem}`),
    );
  });
}
