import { readdirSync } from "node:fs";
import { expect, test } from "vitest";
import { grantedPermissions } from "../controllers/rbac.ts";
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

test("the rights that docs/your-cluster.md lists are those that the roles of steer grant", () => {
  const [, section = ""] = readPage("docs/your-cluster.md").split("\n## Rights\n");
  const [rights = ""] = section.split("\n## ");
  const rows = rights.split("\n").filter((line) => line.startsWith("| `"));
  const said = rows.flatMap((row) => {
    const [resources = "", verbs = "", names = ""] = row.split("|").slice(1);
    return quotedIn(resources).flatMap((resource) =>
      verbs.split(",").map((verb) => {
        const [name] = quotedIn(names);
        const right = `${verb.trim()} ${resource.replace("…", "admissionregistration.k8s.io")}`;
        return name === undefined ? right : `${right} ${name}`;
      }),
    );
  });
  expect(said.toSorted()).toEqual([...grantedPermissions("trimtab-steer")].toSorted());
});

function quotedIn(cell: string): readonly string[] {
  return [...cell.matchAll(/`([^`]+)`/g)].map(([, text = ""]) => text);
}
