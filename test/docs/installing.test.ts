import { expect, test } from "vitest";
import { installingLines, registryLines } from "./installing.ts";
import { readPage } from "./markdown.ts";

const { version, name } = JSON.parse(readPage("package.json")) as {
  readonly name: string;
  readonly version: string;
};

test("no page takes the package from a registry, where it is not published", () => {
  expect(registryLines).toEqual([]);
});

test("the pages install the file that npm pack makes", () => {
  const files = installingLines.flatMap(({ line }) => /\S+\.tgz/.exec(line) ?? []);
  expect(files).not.toEqual([]);
  expect(new Set(files)).toEqual(new Set([`./${name}-${version}.tgz`]));
});

test("the chart names no page that is not there", () => {
  expect(readPage("deploy/helm/trimtab/Chart.yaml")).not.toContain("npmjs.com");
});
