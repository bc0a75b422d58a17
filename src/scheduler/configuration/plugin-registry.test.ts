import { expect, test } from "vitest";
import { int32, record } from "../../api/documents/document-schema.ts";
import { formatFieldError } from "../../api/field-error.ts";
import { fits } from "../../decisions/placement/plugin.ts";
import type { PluginEntry } from "../../decisions/placement/plugin-entry.ts";
import { noHints } from "../../decisions/placement/cluster-event.ts";
import { parseSchedulerConfig } from "./parse-scheduler-config.ts";
import { pluginRegistry } from "./plugin-registry.ts";

const mine: PluginEntry<{ readonly most: number }> = {
  name: "Mine",
  points: ["filter", "score"],
  args: {
    schema: record("Arguments.", { most: int32("A number.") }),
    setDefaults: ({ most = 5 }: { readonly most?: number }) => ({ most }),
  },
  create: () => ({ name: "Mine", preFilter: () => ({ filter: () => fits }) }),
  hints: () => noHints,
};

function parse(profile: string) {
  const header = "apiVersion: kubescheduler.config.k8s.io/v1\nkind: KubeSchedulerConfiguration\n";
  const parsed = parseSchedulerConfig(`${header}profiles: [${profile}]`, { plugins: [mine] });
  return parsed.ok ? parsed.config : parsed.errors.map(formatFieldError);
}

test("an out-of-tree plugin is not enabled by default", () => {
  const config = parse("{}");
  expect(config).toMatchObject({ outOfTreePlugins: [mine], profiles: [{ args: { Mine: { most: 5 } } }] });
  expect("profiles" in config && config.profiles[0]?.plugins.at.filter).not.toContain("Mine");
});

test("a file enables it, weighs it and sets its arguments", () => {
  const config = parse(
    "{plugins: {multiPoint: {enabled: [{name: Mine, weight: 4}]}}, pluginConfig: [{name: Mine, args: {most: 7}}]}",
  );
  if (!("profiles" in config)) throw new Error(config.join("\n"));
  const [profile] = config.profiles;
  expect(profile?.plugins.at.filter.at(-1)).toBe("Mine");
  expect(profile?.plugins.at.preScore).not.toContain("Mine");
  expect(profile?.plugins.weights.get("Mine")).toBe(4);
  expect(profile?.args["Mine"]).toEqual({ most: 7 });
});

test("its points and its arguments are checked like those of an in-tree plugin", () => {
  expect(
    parse(
      "{plugins: {preScore: {enabled: [{name: Mine}]}}, pluginConfig: [{name: Mine, args: {Most: 7, most: x}}]}",
    ),
  ).toEqual([
    'profiles[0].plugins.preScore.enabled[0].name: Invalid value: "Mine": does not work at preScore, only at filter, score',
    'profiles[0].pluginConfig[0].args.Most: Forbidden: unknown field; did you mean "most"?',
    'profiles[0].pluginConfig[0].args.most: Invalid value: "x": must be a whole number of 32 bits',
  ]);
});

test("two plugins cannot have one name", () => {
  expect(() => pluginRegistry([mine, mine])).toThrow("two scheduler plugins have the name Mine");
  const copy: PluginEntry = { ...mine, name: "NodeName" };
  expect(() => pluginRegistry([copy])).toThrow("two scheduler plugins have the name NodeName");
});
