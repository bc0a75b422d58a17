import type { AggregatedVersion } from "./aggregated-discovery.ts";

export type DiscoveryFormat = "legacy" | AggregatedVersion;

/** Negotiates the format of discovery: the first that the Accept header names, otherwise the legacy one. */
export function discoveryFormatOf(accept: string | undefined): DiscoveryFormat {
  for (const range of (accept ?? "").split(",")) {
    const [type, ...parameters] = range.split(";").map((part) => part.trim().toLowerCase());
    if (type !== "application/json" && type !== "application/*" && type !== "*/*") continue;
    const format = formatOf(new Map(parameters.map(splitParameter)));
    if (format !== undefined) return format;
  }
  return "legacy";
}

function formatOf(parameters: ReadonlyMap<string, string>): DiscoveryFormat | undefined {
  const as = parameters.get("as");
  if (as === undefined) return "legacy";
  const version = parameters.get("v");
  const aggregated = as === "apigroupdiscoverylist" && parameters.get("g") === "apidiscovery.k8s.io";
  return aggregated && (version === "v2" || version === "v2beta1") ? version : undefined;
}

function splitParameter(text: string): readonly [string, string] {
  const cut = text.indexOf("=");
  return cut === -1 ? [text, ""] : [text.slice(0, cut).trim(), text.slice(cut + 1).trim()];
}

/** Returns the `Content-Type` of a format. */
export function contentTypeOf(format: DiscoveryFormat): string {
  return format === "legacy"
    ? "application/json"
    : `application/json;g=apidiscovery.k8s.io;v=${format};as=APIGroupDiscoveryList`;
}
