/** Turns `x.y`, `.x.y`, `{x.y}` and `{.x.y}` into the last of these, which custom columns and `--sort-by` read. */
export function relaxedPath(path: string): string | undefined {
  if (path === "") return path;
  const [, inside] = /^(?:\{([^{}]*)\}|([^{}]*))$/.exec(path) ? [path, path.replaceAll(/^\{|\}$/g, "")] : [];
  if (inside === undefined) return undefined;
  return `{.${inside.replace(/^\./, "")}}`;
}
