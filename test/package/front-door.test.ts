import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const repository = fileURLToPath(new URL("../..", import.meta.url));

test.for([
  ["src/index.ts", 15],
  ["src/machinery/index.ts", 60],
] as const)("%s exports at most %d names, each by name", ([entry, most]) => {
  const text = readFileSync(path.join(repository, entry), "utf8");
  const lists = [...text.matchAll(/^export (?:type )?\{([^}]*)\} from/gm)].map(([, names = ""]) => names);
  const names = lists.flatMap((list) => list.split(",")).filter((name) => name.trim() !== "");
  expect(text).not.toContain("export *");
  expect(names.length).toBeGreaterThan(0);
  expect(names.length).toBeLessThanOrEqual(most);
});

test("every published subpath has a source", () => {
  const { exports } = JSON.parse(readFileSync(path.join(repository, "package.json"), "utf8")) as {
    readonly exports: Readonly<Record<string, string | { readonly default: string }>>;
  };
  const sources = Object.values(exports)
    .filter((target) => typeof target !== "string")
    .map((target) => target.default.replace("./dist/", "src/").replace(/\.js$/, ".ts"));
  expect(sources.filter((source) => !existsSync(path.join(repository, source)))).toEqual([]);
});

/** The files a module loads, itself included: what it imports and re-exports other than types. */
function loadedBy(entry: string): ReadonlySet<string> {
  const loaded = new Set<string>();
  const load = (file: string) => {
    if (loaded.has(file)) return;
    loaded.add(file);
    const text = readFileSync(file, "utf8");
    for (const [, names = "", specifier = ""] of text.matchAll(
      /^(?:import|export) (?!type )([^;"]*?)(?: from )?"(\.[^"]+)";/gms,
    )) {
      const listed = names.replace(/[{}\s]+/g, " ").split(",");
      const isTypesOnly = names.includes("{") && listed.every((name) => /^ *(type |$)/.test(name));
      if (!isTypesOnly) load(path.resolve(path.dirname(file), specifier));
    }
  };
  load(path.join(repository, entry));
  return loaded;
}

test("trimtab/picker loads itself, the clock, the log and no library", () => {
  const loaded = [...loadedBy("src/picker/index.ts")];
  const files = loaded.map((file) => path.relative(repository, file));
  expect(files.filter((file) => !/^src\/(api\/[^/]+|machinery\/.*|picker\/.*)\.ts$/.test(file))).toEqual([]);
  expect(files.length).toBeGreaterThan(10);
  expect(files.length).toBeLessThan(40);
  const packages = loaded.flatMap((file) =>
    [...readFileSync(file, "utf8").matchAll(/^import (?!type )[^;]* from "([^.][^"]*)";/gm)].map(
      ([, name]) => name,
    ),
  );
  expect(packages.filter((name) => name?.startsWith("node:") !== true)).toEqual([]);
});

test.for(["src/index.ts", "src/decisions/downscale/index.ts", "src/decisions/placement/index.ts"])(
  "%s does not load the schema table",
  (entry) => {
    const loaded = [...loadedBy(entry)].map((file) => path.relative(repository, file));
    expect(loaded.length).toBeGreaterThan(10);
    expect(loaded.filter((file) => /^src\/api\/(schema|generated)\//.test(file))).toEqual([]);
  },
);

test.for(["src/cluster/core/index.ts", "src/simulation/core/index.ts"])(
  "%s loads nothing of Node, and only libraries that browsers can run",
  (entry) => {
    const loaded = [...loadedBy(entry)];
    const packages = loaded.flatMap((file) =>
      [...readFileSync(file, "utf8").matchAll(/^import (?!type )[^;]*? from "([^.][^"]*)";/gm)].map(
        ([, name]) => name,
      ),
    );
    expect(loaded.length).toBeGreaterThan(500);
    expect(new Set(packages)).toEqual(new Set(["croner", "re2js", "sorted-btree", "yaml"]));
  },
);
