import { qualifiedKind } from "../../api/resource.ts";
import type { ServedResource } from "./served-resource.ts";
import type { ServerContext } from "./server-context.ts";

/** Warns, at creation, that no component of this cluster acts on a kind that has no effect otherwise. */
export function notRunWarnings({ runKinds }: ServerContext, resource: ServedResource): readonly string[] {
  const kind = qualifiedKind(resource);
  if (resource.strategy.needsComponent !== true || runKinds.has(kind)) return [];
  return [`${kind} is stored, but nothing in this cluster runs it`];
}
