import type { AggregatedVersion } from "./aggregated-discovery.ts";

export type DiscoveryFormat = "legacy" | AggregatedVersion;

/** The form of discovery a client asked for first; whoever asks for nothing in particular gets the first form. */
export function discoveryFormatOf(accept: string | undefined): DiscoveryFormat {
  for (const range of (accept ?? "").split(",")) {
    const [type, ...parameters] = range.split(";").map((part) => part.trim().toLowerCase());
    if (type !== "application/json" && type !== "application/*" && type !== "*/*") continue;
    const form = formOf(new Map(parameters.map(splitParameter)));
    if (form !== undefined) return form;
  }
  return "legacy";
}

function formOf(parameters: ReadonlyMap<string, string>): DiscoveryFormat | undefined {
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

/** The media type of a form, as the answer has to name it. */
export function contentTypeOf(form: DiscoveryFormat): string {
  return form === "legacy"
    ? "application/json"
    : `application/json;g=apidiscovery.k8s.io;v=${form};as=APIGroupDiscoveryList`;
}
