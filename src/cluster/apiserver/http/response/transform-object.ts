import type { ListMeta } from "../../../../api/generated/meta-v1.ts";
import type { StoredObject } from "../../../../api/object.ts";
import { badRequest } from "../../status-errors.ts";
import { renderTable, type RenderedTable, type TableKind } from "../../tables/render-table.ts";
import type { HttpDependencies } from "../http-dependencies.ts";
import type { RequestTarget } from "../request/request-target.ts";
import type { ResponseFormat } from "./negotiate.ts";

/** The formats that transform an object: Table and PartialObjectMetadata. */
export type TransformedFormat = Extract<ResponseFormat, { readonly version: string }>;

/** The objects of a Table, and its metadata. */
export interface TableContent {
  readonly resource: TableKind;
  readonly objects: readonly StoredObject[];
  readonly listMeta: Pick<ListMeta, "resourceVersion" | "continue" | "remainingItemCount">;
  readonly withoutColumns?: boolean;
}

/** What a Table depends on besides its objects. */
export interface TableExchange {
  readonly deps: Pick<HttpDependencies, "now">;
  readonly url: RequestTarget;
}

/** Renders objects as a Table. */
export function tableOf(
  { deps, url }: TableExchange,
  format: TransformedFormat,
  content: TableContent,
): RenderedTable {
  return renderTable({
    ...content,
    version: format.version,
    includeObject: includeObjectOf(url.searchParams),
    now: deps.now(),
  });
}

function includeObjectOf(query: URLSearchParams): "None" | "Metadata" | "Object" {
  const wanted = query.get("includeObject") ?? "";
  if (wanted === "") return "Metadata";
  if (wanted === "None" || wanted === "Metadata" || wanted === "Object") return wanted;
  throw badRequest(`unrecognized includeObject value: ${JSON.stringify(wanted)}`);
}

/** Reduces an object to its metadata. */
export function partialObjectMetadata({ metadata }: StoredObject, format: TransformedFormat): object {
  return { ...partialObjectMetadataType(format), metadata };
}

/** The kind and apiVersion of a PartialObjectMetadata. */
export function partialObjectMetadataType({ version }: TransformedFormat): object {
  return { kind: "PartialObjectMetadata", apiVersion: `meta.k8s.io/${version}` };
}
