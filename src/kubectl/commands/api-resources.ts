import { compareText } from "../../api/compare-text.ts";
import { failure } from "../command-failure.ts";
import { type Context, say } from "../context.ts";
import type { KubectlCommand } from "../kubectl-command.ts";
import { alignColumns, tableSpacing } from "../output/align-columns.ts";
import { type ApiResource, apiVersionText, fullPlural } from "../server/discovery.ts";

/** `kubectl api-resources`. */
export const apiResources: KubectlCommand = {
  summary: "Print the supported API resources on the server",
  flags: {
    output: { type: "string", short: "o", choices: ["wide", "name"] },
    namespaced: { type: "boolean" },
    "no-headers": { type: "boolean" },
    "api-group": { type: "string" },
    verbs: { type: "list" },
    categories: { type: "list" },
    "sort-by": { type: "string", choices: ["name", "kind"] },
    cached: { type: "boolean" },
  },
  async run(context) {
    const sortBy = context.text("sort-by");
    if (!["", "name", "kind"].includes(sortBy)) throw failure("--sort-by accepts only name or kind");
    const keyOf = ({ plural, kind, group }: ApiResource) =>
      sortBy === "name" ? plural : sortBy === "kind" ? kind : group;
    const shown = (await context.server.resources())
      .filter((each) => isShown(context, each))
      .toSorted(
        (one, other) => compareText(keyOf(one), keyOf(other)) || compareText(one.plural, other.plural),
      );
    if (context.text("output") === "name") for (const each of shown) say(context, fullPlural(each));
    else context.io.out(tableOf(context, shown));
  },
};

function isShown(
  context: Context,
  { group, namespaced, verbs, categories, isPreferred }: ApiResource,
): boolean {
  return (
    isPreferred &&
    verbs.length > 0 &&
    (!context.isGiven("api-group") || context.text("api-group") === group) &&
    (!context.isGiven("namespaced") || context.isOn("namespaced") === namespaced) &&
    context.list("verbs").every((verb) => verbs.includes(verb)) &&
    context.list("categories").every((category) => categories.includes(category))
  );
}

function tableOf(context: Context, resources: readonly ApiResource[]): string {
  const isWide = context.text("output") === "wide";
  const header = [
    "NAME",
    "SHORTNAMES",
    "APIVERSION",
    "NAMESPACED",
    "KIND",
    ...(isWide ? ["VERBS", "CATEGORIES"] : []),
  ];
  const rows = resources.map((each) => [
    each.plural,
    each.shortNames.join(","),
    apiVersionText(each),
    String(each.namespaced),
    each.kind,
    ...(isWide ? [each.verbs.join(","), each.categories.join(",")] : []),
  ]);
  const lines = [...(context.isOn("no-headers") ? [] : [header]), ...rows].map((cells) => cells.join("\t"));
  return lines.length === 0 ? "" : `${alignColumns(lines.join("\n"), tableSpacing)}\n`;
}

/** `kubectl api-versions`. */
export const apiVersionsCommand: KubectlCommand = {
  summary: "Print the supported API versions on the server, in the form of group/version",
  async run(context) {
    const versions = new Set((await context.server.resources()).map(apiVersionText));
    for (const version of [...versions].toSorted(compareText)) say(context, version);
  },
};
