import { qualifiedKind } from "../../src/api/resource.ts";
import { publishedResources } from "../../src/cluster/apiserver/handlers/subresources/subresource-handlers.ts";
import { groupVersionsOf } from "../../src/cluster/apiserver/discovery/listed-resource.ts";
import type { ServedResource } from "../../src/cluster/apiserver/served-resource.ts";
import { createKindRegistry } from "../../src/cluster/apiserver/kind-registry.ts";
import { serveBuiltInKinds } from "../../src/cluster/apiserver/kinds/serve-built-in-kinds.ts";
import { clusterComponents, type ClusterComponentsOptions } from "../../src/cluster/components.ts";

const marks = { begin: "<!-- generated: kinds -->", end: "<!-- end -->" };

/** The page with its generated part as it has to be. */
export function withGeneratedPart(page: string): string {
  const [before = "", rest = ""] = page.split(marks.begin);
  const [, after = ""] = rest.split(marks.end);
  return `${before}${marks.begin}\n\n${kindsText()}\n\n${marks.end}${after}`;
}

/** One table a group and version. */
function kindsText(): string {
  const served = publishedResources(createKindRegistry(serveBuiltInKinds()))();
  const runBy = componentsByKind();
  return groupVersionsOf(served)
    .map(({ group, version, resources }) => {
      const rows = resources.map((resource) => `| ${cellsOf(resource, runBy).join(" | ")} |`);
      const head = ["| kind | verbs | subresources | field selectors | |", "| --- | --- | --- | --- | --- |"];
      return [`### ${group === "" ? version : `${group}/${version}`}`, "", ...head, ...rows].join("\n");
    })
    .join("\n\n");
}

/** The components that act on a kind, by its qualified name. */
function componentsByKind(): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, readonly string[]>();
  // No component is started: only their names and kinds are read.
  for (const { name, kinds } of clusterComponents({} as ClusterComponentsOptions))
    for (const kind of kinds) {
      const key = qualifiedKind(kind);
      found.set(key, [...(found.get(key) ?? []), name]);
    }
  return found;
}

const all = ["create", "delete", "deletecollection", "get", "list", "patch", "update", "watch"];

function cellsOf(resource: ServedResource, runBy: ReadonlyMap<string, readonly string[]>): readonly string[] {
  const { kind, verbs, subresources, strategy } = resource;
  const fields = Object.keys(strategy.selectableFields?.({ metadata: {} }) ?? {});
  return [
    kind,
    verbsText(verbs),
    subresources.map(({ name }) => name).join(", "),
    fields.map((field) => `\`${field}\``).join(", "),
    effectText(resource, runBy.get(qualifiedKind(resource)) ?? []),
  ];
}

function verbsText(verbs: readonly string[]): string {
  const missing = all.filter((verb) => !verbs.includes(verb));
  if (missing.length === 0) return "all";
  return missing.length < 3 ? `all but ${missing.join(", ")}` : verbs.join(", ");
}

function effectText({ strategy }: ServedResource, components: readonly string[]): string {
  if (components.length > 0) return `run by ${components.join(", ")}`;
  return strategy.needsComponent === true ? "stored, nothing runs it" : "";
}
