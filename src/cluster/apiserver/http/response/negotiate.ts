import { notAcceptable } from "../../status-errors.ts";

/** The format of a response. */
export type ResponseFormat =
  | { readonly as: "json" | "yaml" }
  | { readonly as: "table" | "metadata"; readonly version: "v1" | "v1beta1" };

const json: ResponseFormat = { as: "json" };

/**
 * Returns the first format of an Accept header that is supported; throws 406 when there is none. Quality values are not
 * weighed: clients of this API list formats in order of preference. `transforms` is false for kinds that are never
 * stored, which are no rows of a Table.
 */
export function negotiate(
  accept: string | undefined,
  { transforms }: { readonly transforms: boolean },
): ResponseFormat {
  if (accept === undefined || accept.trim() === "") return json;
  for (const range of accept.split(",")) {
    const format = formatOf(range);
    if (format !== undefined && (transforms || !("version" in format))) return format;
  }
  throw notAcceptable();
}

const transformations: ReadonlyMap<string, "table" | "metadata"> = new Map([
  ["table", "table"],
  ["partialobjectmetadata", "metadata"],
  ["partialobjectmetadatalist", "metadata"],
]);

function formatOf(range: string): ResponseFormat | undefined {
  const [type, ...parameters] = range.split(";").map((part) => part.trim().toLowerCase());
  if (type === "application/yaml") return { as: "yaml" };
  if (type !== "application/json" && type !== "application/*" && type !== "*/*") return undefined;
  const given = new Map(parameters.map((parameter) => splitOnce(parameter, "=")));
  const as = given.get("as");
  if (as === undefined) return json;
  const transformation = transformations.get(as);
  const version = given.get("v");
  if (transformation === undefined || given.get("g") !== "meta.k8s.io") return undefined;
  return version === "v1" || version === "v1beta1" ? { as: transformation, version } : undefined;
}

function splitOnce(text: string, separator: string): readonly [string, string] {
  const cut = text.indexOf(separator);
  return cut === -1 ? [text, ""] : [text.slice(0, cut).trim(), text.slice(cut + 1).trim()];
}
