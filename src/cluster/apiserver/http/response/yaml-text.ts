import { stringify } from "yaml";

/** A value as YAML 1.1, which Kubernetes' clients read: texts such as `yes` and `0644` are quoted. */
export function yamlText(value: unknown): string {
  return stringify(value, { version: "1.1" });
}
