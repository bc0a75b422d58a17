// Downloads the Go module of an operator and keeps two folders of it: definitions/ and samples/.
// `node collect.mjs kueue`, in a folder with operators.json.
import { execFileSync } from "node:child_process";
import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs";
import path from "node:path";

const name = process.argv[2];
const operator = JSON.parse(readFileSync("operators.json", "utf8")).find((each) => each.name === name);
const cache = path.resolve("modules");

/** The folder of the module, whose content is the one that was pinned, whatever server it came from. */
function download() {
  const { Dir, Sum } = JSON.parse(
    execFileSync("go", ["mod", "download", "-json", operator.module], {
      env: { ...process.env, GOMODCACHE: cache, GOFLAGS: "-modcacherw", GOSUMDB: "off" },
      stdio: ["ignore", "pipe", "pipe"],
    }),
  );
  if (Sum !== operator.sum) throw new Error(`${operator.module} has the sum ${Sum}, not ${operator.sum}`);
  return Dir;
}

function keep(folders, target) {
  mkdirSync(target);
  for (const folder of folders)
    for (const file of readdirSync(folder))
      if (file.endsWith(".yaml") && file !== "kustomization.yaml")
        copyFileSync(path.join(folder, file), path.join(target, file));
}

try {
  const module = download();
  keep([path.join(module, operator.definitions)], "definitions");
  keep(
    operator.samples.map((folder) => path.join(module, folder)),
    "samples",
  );
  rmSync(cache, { recursive: true });
} catch (error) {
  // go says what went wrong in its JSON.
  process.stderr.write(`${error.message}\n${error.stdout ?? ""}`);
  process.exitCode = 1;
}
