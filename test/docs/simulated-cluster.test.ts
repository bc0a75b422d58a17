import { expect, test } from "vitest";
import { nodeSettingNames, readNodeBehaviour } from "../../src/cluster/kubelet/behaviour/node-behaviour.ts";
import { readPodBehaviour } from "../../src/cluster/kubelet/behaviour/pod-behaviour.ts";
import { podSettingNames } from "../../src/cluster/kubelet/behaviour/pod-settings.ts";
import { profiles } from "../../src/cluster/kubelet/behaviour/profiles.ts";
import { pod } from "../../src/testing/pod.ts";
import { node } from "../../src/testing/node.ts";
import { readPage } from "./markdown.ts";

/** The rows of the first table after a text, as the texts of their cells. */
function rowsAfter(text: string): readonly (readonly string[])[] {
  const lines = readPage("docs/simulated-cluster.md").split("\n");
  const from = lines.findIndex((line) => line.includes(text));
  const rows = lines.slice(lines.findIndex((line, index) => index > from && line.startsWith("| --")) + 1);
  const end = rows.findIndex((line) => !line.startsWith("|"));
  return rows.slice(0, end).map((row) =>
    row
      .split("|")
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
}

const plain = (cell = "") => cell.replace(/^`(.*)`$/, "$1");
const settings = (rows: readonly (readonly string[])[]) =>
  rows.map(([name, example]) => [plain(name), plain(example)] as const);

test("docs/simulated-cluster.md lists everything a Pod can be told, each with an example that is valid", () => {
  const listed = settings(rowsAfter("## Pods"));
  expect(listed.map(([name]) => name).toSorted()).toEqual(podSettingNames.toSorted());
  const annotations = Object.fromEntries(listed.map(([name, value]) => [`sim.trimtab.dev/${name}`, value]));
  expect(readPodBehaviour(pod("web", { annotations })).problems).toEqual([]);
});

test("docs/simulated-cluster.md lists everything a node can be told, each with an example that is valid", () => {
  const listed = settings(rowsAfter("## Nodes"));
  expect(listed.map(([name]) => name).toSorted()).toEqual(nodeSettingNames.toSorted());
  const told = node("node-1");
  const annotations = Object.fromEntries(listed.map(([name, value]) => [`sim.trimtab.dev/${name}`, value]));
  expect(readNodeBehaviour({ metadata: { ...told.metadata, annotations } }).problems).toEqual([]);
});

test("docs/simulated-cluster.md lists every profile with its settings", () => {
  const listed = rowsAfter("Where a Pod is told nothing").map(([name = "", text = ""]) => [
    plain(name),
    Object.fromEntries([...text.matchAll(/`(\w+): ([^`]+)`/g)].map(([, setting, value]) => [setting, value])),
  ]);
  expect(Object.fromEntries(listed)).toEqual(profiles);
});
