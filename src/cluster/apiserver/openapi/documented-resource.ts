import type { ListedResource } from "../discovery/listed-resource.ts";

/** A resource with the type of its objects in the schema table. */
export interface DocumentedResource extends ListedResource {
  readonly type: string;
}
