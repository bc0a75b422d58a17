import { formatFieldError } from "../../../../../api/field-error.ts";
import type { Container, PodSpec } from "../../../../../api/generated/core-v1.ts";
import { podSpecDefaults } from "../../../../../api/pod/pod-spec-defaults.ts";
import type { Sent } from "../../../../../api/sent.ts";
import { validatePodSpec } from "./pod-spec.ts";

/** The errors of a valid spec with these fields replaced. */
export function problemsOfSpec(members: Sent<PodSpec>, of: "pod" | "template" = "pod"): readonly string[] {
  const spec = podSpecDefaults({ containers: [{ name: "app", image: "nginx" }], ...members });
  return validatePodSpec(spec, "spec", of).map(formatFieldError);
}

/** The errors of a valid container with these fields replaced. */
export function problemsOfContainer(members: Sent<Container>, pod: Sent<PodSpec> = {}): readonly string[] {
  return problemsOfSpec({ ...pod, containers: [{ name: "app", image: "nginx", ...members }] });
}

/** One row of a table about specs. */
export interface SpecCase {
  readonly name: string;
  readonly spec: Sent<PodSpec>;
  readonly want: readonly string[];
}

/** One row of a table about containers. */
export interface ContainerCase {
  readonly name: string;
  readonly container: Sent<Container>;
  readonly want: readonly string[];
}

export const labelCharacters: string =
  "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')";
export const keyCharacters: string =
  "name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')";
export const valueCharacters: string =
  "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')";
export const subdomainCharacters: string =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";
