import { readdirSync } from "node:fs";
import { expect, test } from "vitest";
import { readPage } from "./markdown.ts";

test("the versions of Kubernetes that were run are those that npm run test:cluster can build", () => {
  const folder = "test/real-cluster/versions";
  const built = readdirSync(new URL(`../../${folder}`, import.meta.url)).map((minor) => {
    const [, version = ""] =
      /^require k8s\.io\/kubernetes v(\S+)$/m.exec(readPage(`${folder}/${minor}/go.mod`)) ?? [];
    return version;
  });
  const [, section = ""] = readPage("docs/your-cluster.md").split("\n## Versions\n");
  const said = [...section.matchAll(/^\| (\d\S+) /gm)].map(([, version]) => version);
  expect(new Set(said)).toEqual(new Set(built));
});
