// Removes from dist/ the modules and declarations that no export of the package leads to: the program is a bundle and needs
// none of them, and a third of all files are only its. Why: docs/decisions/0025.
import { existsSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { fileURLToPath } from "node:url";
import path from "node:path";

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "..");
const dist = path.join(root, "dist");
/** What is made by bundlers. */
const bundles = ["cli", "ui", "report", "playground"].map((name) => path.join(dist, name) + path.sep);
/** A thread, whose file name is put together. */
const threads = ["simulation/scenario-run/scenario-worker.js"].map((file) => path.join(dist, file));

const { exports } = JSON.parse(readFileSync(path.join(root, "package.json"), "utf8"));
/** The files of an entry, by whatever conditions. */
const filesOf = (entry) => (typeof entry === "string" ? [entry] : Object.values(entry).flatMap(filesOf));
const entries = filesOf(exports)
  .filter((file) => file.startsWith("./dist/"))
  .map((file) => path.join(root, file));
const missing = entries.filter((file) => !existsSync(file));
if (missing.length > 0) {
  console.error(`trimtab: package.json exports ${missing.join(", ")}, which the build did not make`);
  process.exit(1);
}

/** Also matches text in comments and strings, which only keeps more. */
const imports = /(?:from|import)\s*\(?\s*["'](\.[^"']+)["']/g;

const reached = new Set([...entries, ...threads]);
for (const file of reached) {
  if (!existsSync(file)) continue;
  for (const [, name = ""] of readFileSync(file, "utf8").matchAll(imports)) {
    const imported = path.join(path.dirname(file), name);
    reached.add(file.endsWith(".d.ts") ? imported.replace(/\.[jt]s$/, ".d.ts") : imported);
  }
}

const files = readdirSync(dist, { recursive: true })
  .map((name) => path.join(dist, name))
  .filter((file) => !bundles.some((folder) => file.startsWith(folder)) && statSync(file).isFile());
const unneeded = files.filter((file) => !reached.has(file));
for (const file of unneeded) rmSync(file, { force: true });
console.error(
  `trimtab: ${files.length - unneeded.length} files of the library, ${unneeded.length} that nothing exports left out`,
);
