import { type FieldError, forbidden, invalid, required } from "../../../../api/field-error.ts";
import { type FieldErrors, requiredOneOf } from "../../../../api/field-checks.ts";
import type { CustomResourceConversion } from "../../../../api/generated/apiextensions-v1.ts";
import { dns1035LabelProblems } from "../../../../api/names.ts";
import type { Sent } from "../../../../api/sent.ts";
import { validateServiceReference, validateUrl } from "../webhook-configuration/validate-webhook.ts";

type Conversion = Sent<CustomResourceConversion>;

const acceptedReviewVersions = ["v1", "v1beta1"];

/** Validates how objects are converted between versions. */
export function validateConversion({ strategy, webhook }: Conversion, path: string): FieldErrors {
  // upstream: the paths are those of an internal type.
  const [client, reviews] = [`${path}.webhookClientConfig`, `${path}.conversionReviewVersions`];
  const errors = requiredOneOf(strategy, `${path}.strategy`, ["None", "Webhook"]);
  const { clientConfig, conversionReviewVersions = [] } = webhook ?? {};
  if (strategy === "Webhook")
    return [
      ...errors,
      ...validateClientConfig(clientConfig, client),
      ...validateReviewVersions(conversionReviewVersions, reviews),
    ];
  const unused = "should not be set when strategy is not set to Webhook";
  return [
    ...errors,
    ...(clientConfig !== undefined ? [forbidden(client, unused)] : []),
    ...(conversionReviewVersions.length > 0 ? [forbidden(reviews, unused)] : []),
  ];
}

type ClientConfig = NonNullable<Conversion["webhook"]>["clientConfig"];

function validateClientConfig(config: ClientConfig, path: string): FieldErrors {
  if (config === undefined) return [required(path, "required when strategy is set to Webhook")];
  const { url, service } = config;
  if ((url === undefined) === (service === undefined))
    return [required(path, "exactly one of url or service is required")];
  if (url !== undefined) return validateUrl(url, `${path}.url`);
  const { name, namespace, ...place } = service ?? {};
  // upstream: name and namespace are mixed up.
  const swapped = {
    ...place,
    ...(namespace !== undefined && { name: namespace }),
    ...(name !== undefined && { namespace: name }),
  };
  return validateServiceReference(swapped, `${path}.service`);
}

function validateReviewVersions(versions: readonly string[], path: string): FieldErrors {
  if (versions.length === 0) return [required(path)];
  const errors: FieldError[] = [];
  const seen = new Set<string>();
  for (const [index, version] of versions.entries()) {
    const place = `${path}[${index}]`;
    if (seen.has(version)) errors.push(invalid(place, version, "duplicate version"));
    else for (const problem of dns1035LabelProblems(version)) errors.push(invalid(place, version, problem));
    seen.add(version);
  }
  if (!acceptedReviewVersions.some((version) => seen.has(version)))
    errors.push(invalid(path, versions, `must include at least one of ${acceptedReviewVersions.join(", ")}`));
  return errors;
}
