import { expect, test } from "vitest";
import type { PluginEntry } from "./plugin-entry.ts";
import type { Plugin } from "./plugin.ts";
import { noHints } from "./cluster-event.ts";

const plugin: Plugin = { name: "Mine" };
const create = () => plugin;

test("the compiler demands queueing hints of a plugin that can reject a Pod, and only of those", () => {
  // @ts-expect-error: it filters and has no hints
  const filters: PluginEntry = { name: "Mine", points: ["filter"], create };
  // @ts-expect-error: it filters beside scoring and has no hints
  const filtersAndScores: PluginEntry = { name: "Mine", points: ["preFilter", "filter", "score"], create };
  // @ts-expect-error: it gates Pods and has no hints
  const gates: PluginEntry = { name: "Mine", points: ["preEnqueue"], create };
  const hinted: PluginEntry = { name: "Mine", points: ["filter"], create, hints: () => noHints };
  const scores: PluginEntry = { name: "Mine", points: ["preScore", "score"], create };
  expect([filters, filtersAndScores, gates, hinted, scores]).toHaveLength(5);
});
