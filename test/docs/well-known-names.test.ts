import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const root = fileURLToPath(new URL("../..", import.meta.url));

const files = ["src", "ui"].flatMap((folder) =>
  readdirSync(path.join(root, folder), { recursive: true, encoding: "utf8" })
    .filter((name) => /\.tsx?$/.test(name) && !/\.(test|cases)\.ts$/.test(name))
    .filter((name) => !name.includes("node_modules") && !name.includes("generated/"))
    .map((name) => path.join(folder, name)),
);

/** The whole texts of a file that are keys of labels, annotations, taints and finalizers: a prefix of Kubernetes or ours, and a name. */
function keysIn(file: string): ReadonlySet<string> {
  const text = readFileSync(path.join(root, file), "utf8");
  const keys = text.matchAll(/"((?:[a-z.-]*\.)?(?:kubernetes\.io|trimtab\.dev)\/[A-Za-z][A-Za-z0-9._-]*)"/g);
  return new Set(Array.from(keys, ([, key = ""]) => key).filter((key) => !/\/v[0-9]/.test(key)));
}

test("the key of a label, an annotation, a taint or a finalizer is written in one file", () => {
  const filesOf = new Map<string, string[]>();
  for (const file of files)
    for (const key of keysIn(file)) filesOf.set(key, [...(filesOf.get(key) ?? []), file]);
  expect(filesOf.size).toBeGreaterThan(50);
  expect([...filesOf].filter(([, among]) => among.length > 1)).toEqual([]);
});
