/** The way to a value: member names and list positions. */
export type FieldPath = readonly (string | number)[];

/** A path as Kubernetes writes it: `spec.template.spec.containers[0].name`. */
export function formatFieldPath(path: FieldPath): string {
  let text = "";
  for (const part of path) {
    if (typeof part === "number") text += `[${part}]`;
    else text += text === "" ? part : `.${part}`;
  }
  return text;
}
