import { existsSync, readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { defaultFeatureGates } from "../../src/api/feature-gates.ts";
import { install } from "../../src/cli/commands/install.ts";
import { picker } from "../../src/cli/commands/picker.ts";
import { controllersFlags } from "../../src/cli/control-plane/controllers-settings.ts";
import { schedulerFlags } from "../../src/cli/control-plane/scheduler-settings.ts";
import { steerFlags } from "../../src/cli/steer/steer-settings.ts";
import { upFlags } from "../../src/cli/up/up-settings.ts";
import { removalOrder } from "../../src/decisions/downscale/rules.ts";
import { failureClasses } from "../../src/picker/picker-failure.ts";
import { sourceFailureClasses } from "../../src/picker/serve/sources/source.ts";
import { registeredMetrics } from "./registered-metrics.ts";

const folder = fileURLToPath(new URL("../../docs/operations/", import.meta.url));
const pages = readdirSync(folder).map((file) => ({ file, text: readFileSync(`${folder}${file}`, "utf8") }));

/** The guides for authors of pickers and operators of the controllers are held to the same names. */
const root = new URL("../../", import.meta.url);
const readRoot = (path: string) => readFileSync(new URL(path, root), "utf8");
const guides = [
  "pod-picker",
  "picker-serve",
  "controllers",
  "scheduler",
  "durable-store",
  "steering",
  "webhooks",
].map((name) => {
  const file = `docs/${name}.md`;
  return { file, text: readRoot(file) };
});
const all = [...pages, ...guides];

/** The names that `pattern` finds in the pages: the first group that matched. */
function namedBy(pattern: RegExp): readonly string[] {
  const found = all.flatMap(({ text }) => [...text.matchAll(pattern)]);
  expect(found).not.toEqual([]);
  return found.map(([, ...groups]) => groups.find((group) => group !== undefined) ?? "");
}

/** A name in backticks with a prefix of our metrics; labels may follow. */
const metricName =
  /`((?:pod_picker|replicaset_controller|trimtab|workqueue|scheduler|kube|apiserver)_[a-z_]+)[`{]/g;
const gateName = /`--feature-gates=([A-Za-z]+)=|[Ff]eature gate `([A-Za-z]+)`/g;

test("every metric that the pages for operators name exists in a running cluster", async () => {
  const known = await registeredMetrics();
  expect(namedBy(metricName).filter((name) => !known.has(name))).toEqual([]);
});

test("every feature gate that they name exists", () => {
  expect(namedBy(gateName).filter((name) => !(name in defaultFeatureGates))).toEqual([]);
});

test("every flag that they name exists", () => {
  const commands = { ...install.flags, ...picker.flags };
  const flags = { ...upFlags, ...controllersFlags, ...schedulerFlags, ...steerFlags, ...commands };
  expect(namedBy(/`(?:trimtab \w+ )?--([a-z-]+)/g).filter((name) => !(name in flags))).toEqual([]);
});

test("every rule that they name is in the removal order", () => {
  const rules = new Set<string>(removalOrder.map(({ name }) => name));
  expect(namedBy(/rule(?:="|s? `)([a-z-]+)/g).filter((name) => !rules.has(name))).toEqual([]);
});

test("every event that they name is recorded by a component", () => {
  const sources = readdirSync(new URL("src/", root), { recursive: true, encoding: "utf8" })
    .filter((file) =>
      /^(controllers|picker|scheduler|steering|decisions\/(rollout|explain))\/.*(?<!\.test)\.ts$/.test(file),
    )
    .map((file) => readRoot(`src/${file}`))
    .join("");
  const named = namedBy(/[Ee]vents? `([A-Z]\w+)`|`(DownscalePodPicker(?!Healthy)[A-Z]\w+)`/g);
  expect(named.filter((reason) => !sources.includes(`"${reason}"`))).toEqual([]);
});

test.for([
  { page: "docs/pod-picker.md", of: "pickers", classes: failureClasses },
  { page: "docs/picker-serve.md", of: "sources", classes: sourceFailureClasses },
])("$page describes every failure class of $of, and no other", ({ page, classes }) => {
  const table = readRoot(page).split("| class ")[1]?.split("\n\n")[0] ?? "";
  const described = table
    .split("\n")
    .flatMap((row) => [...(row.split("|")[1] ?? "").matchAll(/`([A-Z]\w+)`/g)]);
  expect(new Set(described.map(([, name]) => name))).toEqual(new Set(classes));
});

test.for(pages)("$file has the sections of a production readiness review", ({ text }) => {
  const headings = [...text.matchAll(/^## (.+)$/gm)].map(([, heading]) => heading);
  expect(headings).toEqual(
    expect.arrayContaining([
      "Enable, disable",
      "Roll back and re-enable",
      "What to watch",
      "What it costs",
      "Failure modes",
    ]),
  );
});

test.for(all)("$file names only files that exist", ({ text }) => {
  const paths = [...text.matchAll(/`((?:src|test|docs)\/[^`]+)`/g)].map(([, path]) => path ?? "");
  expect(paths.filter((path) => !existsSync(new URL(path, root)))).toEqual([]);
});
