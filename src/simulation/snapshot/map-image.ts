/** Tags that mean something: what an image without a tag has, and those that simulated kubelets cannot pull. */
const keptTags: ReadonlySet<string> = new Set(["latest", "404", "nonexistent"]);

/**
 * An image with its name, tag and digest replaced. Images that are the same stay the same, with or without a tag; one
 * from a registry under `.invalid` stays one.
 */
export function mapImage(image: string, replace: (text: string) => string): string {
  if (image === "") return "";
  const [reference = "", digest] = image.split("@", 2);
  const colon = reference.lastIndexOf(":");
  const hasTag = colon > reference.lastIndexOf("/");
  const [name, tag] = hasTag
    ? [reference.slice(0, colon), reference.slice(colon + 1)]
    : [reference, undefined];
  const host = name.split("/")[0] ?? "";
  return [
    host.endsWith(".invalid") && name.includes("/") ? "registry.invalid/" : "",
    replace(name),
    tag === undefined ? "" : `:${keptTags.has(tag) ? tag : replace(tag)}`,
    digest === undefined ? "" : `@sha256:${replace(digest)}`,
  ].join("");
}
