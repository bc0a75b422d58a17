import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { gzipSync } from "node:zlib";
import { build } from "vite";
import type { Counts } from "./guard-counts.ts";

/** Builds the playground into a folder, as it is published: in tests Vite would leave in what only developers need. */
export async function buildPlayground(folder: string): Promise<void> {
  const { NODE_ENV: before } = process.env;
  process.env["NODE_ENV"] = "production";
  try {
    await build({
      configFile: path.resolve("ui/playground/vite.config.ts"),
      logLevel: "error",
      build: { outDir: folder, emptyOutDir: false },
    });
  } finally {
    if (before === undefined) delete process.env["NODE_ENV"];
    else process.env["NODE_ENV"] = before;
  }
}

/** The files without which there is no cluster to see: what they import later, when it is asked for, is not among them. */
export function neededFiles(folder: string): readonly Buffer[] {
  const assets = path.join(folder, "assets");
  const index = readFileSync(path.join(folder, "index.html"));
  const found = new Map<string, Buffer>();
  const worker = readdirSync(assets).filter((name) => name.startsWith("cluster-"));
  const open = [...index.toString().matchAll(/assets\/([\w.-]+)/g)]
    .map(([, name = ""]) => name)
    .concat(worker);
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    if (found.has(name)) continue;
    const bytes = readFileSync(path.join(assets, name));
    found.set(name, bytes);
    const imports = bytes.toString().matchAll(/(?:from|import) ?["`]\.\/([\w.-]+\.js)["`]/g);
    open.push(...[...imports].map(([, imported = ""]) => imported));
  }
  return [index, ...found.values()];
}

/** Most changes of the code change some bytes: what is counted grows by steps of this. */
const stepKb = 10;

/** What is sent until the cluster of a built playground lives, and all that is sent in the end, rounded up to steps. */
export function transferCounts(folder: string): Counts {
  const assets = path.join(folder, "assets");
  const all = readdirSync(assets).map((name) => readFileSync(path.join(assets, name)));
  const steps = (files: readonly Buffer[]) =>
    Math.ceil(files.reduce((sum, bytes) => sum + gzipSync(bytes).length, 0) / 1000 / stepKb) * stepKb;
  return {
    "playground: kB of gzip until its cluster lives, at most": steps(neededFiles(folder)),
    "playground: kB of gzip in all, at most": steps(all),
  };
}
