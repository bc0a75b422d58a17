import { stringify, type Tags } from "yaml";
import { octalTag } from "../../decoding/read-yaml.ts";

/** Returns a value as YAML 1.1, which Kubernetes' clients read: texts such as `yes`, `0644` and `0o644` are quoted. */
export function yamlText(value: unknown): string {
  return stringify(value, { version: "1.1", customTags: (tags: Tags) => [...tags, octalTag] });
}
