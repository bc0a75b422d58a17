import type { JsonObject } from "../../api/json.ts";
import { isNotFound } from "../../machinery/client/api-error.ts";
import { throwAll } from "../command-failure.ts";
import type { Context } from "../context.ts";
import { apiVersionText, type ApiResource, resourcePath } from "../server/discovery.ts";
import type { Query } from "../server/server.ts";
import type { KubeObject } from "./kube-object.ts";
import { nothingSelected, readTargets, type Selecting, type Target } from "./targets.ts";

/** An object that a command line names, as the server has it. */
export interface Item {
  readonly resource: ApiResource;
  readonly object: KubeObject;
}

/** What was found, and what failed meanwhile. */
export interface Fetched {
  readonly items: readonly Item[];
  readonly errors: readonly unknown[];
}

/** The namespace of requests for a target; empty for all namespaces and for kinds without them. */
export function namespaceOf(
  context: Context,
  { resource, namespace }: Target,
  allNamespaces = false,
): string {
  if (!resource.namespaced || allNamespaces) return "";
  return namespace ?? context.namespace;
}

/** Fetches the objects of targets, in order; an error of one does not keep the others. */
export async function fetchTargets(
  context: Context,
  targets: readonly Target[],
  selecting: Selecting = nothingSelected,
): Promise<Fetched> {
  const items: Item[] = [];
  const errors: unknown[] = [];
  for (const target of targets) {
    try {
      items.push(...(await fetchTarget(context, target, selecting)));
    } catch (error) {
      errors.push(error);
    }
  }
  return { items, errors };
}

async function fetchTarget(context: Context, target: Target, selecting: Selecting): Promise<readonly Item[]> {
  const { resource, name } = target;
  const namespace = namespaceOf(context, target, selecting.allNamespaces);
  if (name !== undefined) {
    const object = await context.server.get(
      resourcePath(resource, { namespace, name, subresource: selecting.subresource }),
    );
    return [{ resource, object: object as KubeObject }];
  }
  const objects = await listObjects(context, { resource, namespace, query: selectionQuery(selecting) });
  return objects.map((object) => ({ resource, object }));
}

/** The parameters of a list. */
export function selectionQuery({ selector, fieldSelector }: Selecting): Query {
  return {
    ...(selector !== "" && { labelSelector: selector }),
    ...(fieldSelector !== "" && { fieldSelector }),
  };
}

export interface FetchedList {
  readonly resource: ApiResource;
  readonly namespace: string;
  readonly query?: Query;
}

/** Lists a collection page by page; items get the apiVersion and kind that lists leave out. */
export async function listObjects(
  { server }: Pick<Context, "server">,
  { resource, namespace, query = {} }: FetchedList,
): Promise<readonly KubeObject[]> {
  const found: KubeObject[] = [];
  let next: string | undefined;
  do {
    const page: JsonObject = await server.get(resourcePath(resource, { namespace }), {
      ...query,
      limit: 500,
      ...(next !== undefined && { continue: next }),
    });
    const type = { apiVersion: apiVersionText(resource), kind: resource.kind };
    const items = (page["items"] ?? []) as unknown as readonly KubeObject[];
    found.push(...items.map((item) => ({ ...type, ...item })));
    const { continue: more } = page["metadata"] as { readonly continue?: string };
    next = more === "" ? undefined : more;
  } while (next !== undefined);
  return found;
}

/** Reads operands and flags, and fetches what they name; throws what failed after `use` has had the rest. */
export async function forEachSelected(
  context: Context,
  {
    targets,
    selecting,
    isNotFoundIgnored = false,
  }: {
    readonly targets: readonly Target[];
    readonly selecting?: Selecting;
    readonly isNotFoundIgnored?: boolean;
  },
  use: (item: Item) => Promise<void>,
): Promise<number> {
  const { items, errors } = await fetchTargets(context, targets, selecting);
  const failed = errors.filter((error) => !isNotFoundIgnored || !isNotFound(error));
  for (const item of items) {
    try {
      await use(item);
    } catch (error) {
      failed.push(error);
    }
  }
  throwAll(failed);
  return items.length;
}

/** The selection of the usual flags. */
export function selectingOf(context: Context, isTypeEnough: boolean): Selecting {
  return {
    selector: context.text("selector"),
    fieldSelector: context.text("field-selector"),
    isAll: context.isOn("all"),
    allNamespaces: context.isOn("all-namespaces"),
    isTypeEnough,
  };
}

/** Reads the operands of a command as targets. */
export async function targetsOf(
  context: Context,
  words: readonly string[],
  selecting: Selecting,
): Promise<readonly Target[]> {
  return readTargets(await context.server.resources(), words, selecting);
}
