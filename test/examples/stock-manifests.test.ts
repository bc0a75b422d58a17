import { existsSync, readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { parseAllDocuments } from "yaml";
import { readManifests } from "../../src/cli/read-manifests.ts";
import { convertText } from "../../src/cli/convert/convert-text.ts";
import { readPage } from "../docs/markdown.ts";

const examples = fileURLToPath(new URL("../../examples", import.meta.url));
const folders = readdirSync(examples).filter((name) => existsSync(`${examples}/${name}/manifests.yaml`));

/** What the documents of a text say, whatever their layout. */
const meaning = (text: string) => [...parseAllDocuments(text)].map((document) => document.toJS() as unknown);

test("every story with manifests has them for stock clusters, too, with an autoscaler", () => {
  expect(folders).toEqual(["airflow-workers", "game-shards", "regional-web", "spark-executors"]);
  for (const folder of folders)
    for (const file of ["stock", "autoscaler"])
      expect(readManifests([`${examples}/${folder}/${file}.yaml`])).toMatchObject({ ok: true });
});

test.for(folders)("the stock manifests of %s are what trimtab convert makes of its own", (folder) => {
  const [own, stock] = ["manifests", "stock"].map((file) => readPage(`examples/${folder}/${file}.yaml`));
  const converted = convertText(own ?? "", "stock");
  if (!converted.ok) throw new Error(converted.problems.join("\n"));
  expect(meaning(stock ?? "")).toEqual(meaning(converted.text));
  const back = convertText(stock ?? "", "trimtab");
  if (!back.ok) throw new Error(back.problems.join("\n"));
  expect(meaning(back.text)).toEqual(meaning(own ?? ""));
});

test.for(folders)("no field of the stock manifests of %s is Trimtab's own", (folder) => {
  const stock = readPage(`examples/${folder}/stock.yaml`);
  expect(stock).not.toMatch(/^ *(downscalePodPicker|podReplacementPolicy):/m);
  expect(stock).toContain("trimtab.dev/downscale-pod-picker: |");
});
