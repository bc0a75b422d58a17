/** The pull policy an image gets when none is asked for: `latest`, said or implied, is pulled every time. */
export function defaultPullPolicy(image: string | undefined): "Always" | "IfNotPresent" {
  return image !== undefined && tagOf(image) === "latest" ? "Always" : "IfNotPresent";
}

/** The tag an image reference means; none with a digest alone, or when it is no reference at all. */
function tagOf(image: string): string | undefined {
  const [reference = "", digest] = image.split("@", 2);
  const afterSlash = reference.slice(reference.lastIndexOf("/") + 1);
  const colon = afterSlash.indexOf(":");
  if (colon >= 0) return afterSlash.slice(colon + 1);
  // A repository is lower case; anything else cannot be parsed and has no tag, not even an implied one.
  const isRepository = afterSlash !== "" && !/[A-Z\s]/.test(afterSlash);
  return digest === undefined && isRepository ? "latest" : undefined;
}
