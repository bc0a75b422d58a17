import { existsSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { withGeneratedPart } from "./compatibility.ts";
import { readPage } from "./markdown.ts";

const path = "docs/compatibility.md";
const root = new URL("../../", import.meta.url);

/** `TRIMTAB_DOCS=write` writes the generated part instead of comparing it. */
const isWriting = process.env["TRIMTAB_DOCS"] === "write";

test("the kinds, verbs, subresources and field selectors are those of the server", () => {
  const page = withGeneratedPart(readPage(path));
  if (isWriting) writeFileSync(fileURLToPath(new URL(path, root)), page);
  // The formatter pads the cells of tables.
  const compact = (text: string) => text.replaceAll(/ {2,}/g, " ").replaceAll(/-{3,}/g, "---");
  expect(compact(readPage(path))).toBe(compact(page));
});

test("every suite that is named exists", () => {
  const suites = [...readPage(path).matchAll(/`(test\/[^`]+|src\/[^`]+\.ts)`/g)].map(([, name = ""]) => name);
  expect(suites.length).toBeGreaterThan(5);
  expect(suites.filter((name) => !existsSync(new URL(name, root)))).toEqual([]);
});

test.for([
  { client: "Helm", file: "test/clients/helm/go.mod", module: /helm\.sh\/helm\/v\d (v\S+)/g },
  { client: "client-go", file: "test/clients/go/go.mod", module: /k8s\.io\/client-go (v\S+)/g },
  {
    client: "client-go, informers",
    file: "test/informer/client-go/go.mod",
    module: /k8s\.io\/client-go (v\S+)/g,
  },
  { client: "controller-runtime", file: "test/clients/go/go.mod", module: /controller-runtime (v\S+)/g },
  {
    client: "the Python client",
    file: "test/clients/python/requirements.txt",
    module: /^kubernetes==(\S+)/gm,
  },
  {
    client: "fabric8 (Java)",
    file: "test/clients/fabric8/pom.xml",
    module: /kubernetes-client<\/artifactId>\s*<version>([^<]+)/g,
  },
])("the versions of $client are those that its suite uses", ({ client, file, module }) => {
  const versions = [...readPage(file).matchAll(module)].map(([, version = ""]) => version);
  const row = readPage(path)
    .split("\n")
    .find((line) => line.startsWith(`| ${client} `));
  expect(row?.split("|")[2]?.trim()).toBe(versions.join(", "));
});
