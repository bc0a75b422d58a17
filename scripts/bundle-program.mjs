// Bundles the program `trimtab` into dist/cli, or the folder that is named: a few files for the commands instead of a
// thousand modules. The library stays as tsc emits it. Why, and what is left out: docs/decisions/0020.
import path from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "vite";

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "..");
const [outDir = path.join(root, "dist/cli")] = process.argv.slice(2);
const source = (file) => path.join(root, "src", file);
const command = (name) => source(`cli/commands/${name}.ts`);

/** Commands that answer at once: what they load is not in one file with what they do not. */
const quick = [
  source("cli/main.ts"),
  source("cli/envtest/etcd.ts"),
  ...["list", "stop", "version", "example", "install", "envtest"].map(command),
];
/** Commands for any cluster: they do not load the embedded one. */
const onAnyCluster = ["controllers", "scheduler", "steer", "explain"].map(command);

/** The modules that importing these loads. */
function loadedBy(entries, context) {
  const loaded = new Set(entries);
  for (const id of loaded)
    for (const imported of context.getModuleInfo(id)?.importedIds ?? []) loaded.add(imported);
  return loaded;
}

let sets;
/** The file for a module of `trimtab up`; `null`: one with what the same commands load, as the bundler finds. */
function fileOf(id, context) {
  sets ??= {
    quick: loadedBy(quick, context),
    onAnyCluster: loadedBy(onAnyCluster, context),
    up: loadedBy([command("up")], context),
  };
  if (sets.quick.has(id) || !sets.up.has(id)) return null;
  return sets.onAnyCluster.has(id) ? "control-plane" : "cluster";
}

await build({
  root,
  configFile: false,
  logLevel: "warn",
  publicDir: false,
  // lmdb is native, and like openid-client installed by those who need it.
  ssr: { noExternal: true, external: ["lmdb", "openid-client"] },
  build: {
    ssr: true,
    outDir,
    // Files are replaced, as tsc does it: a program that runs may still load one.
    emptyOutDir: false,
    target: "node20.19",
    // Of the libraries in the bundle.
    license: { fileName: "licenses.md" },
    rolldownOptions: {
      input: {
        main: source("cli/main.ts"),
        "complete-plugin": source("cli/complete-plugin.ts"),
        // The programs of the folder that `trimtab envtest` writes.
        "envtest-etcd": source("cli/envtest/etcd.ts"),
        "envtest-kube-apiserver": source("cli/envtest/kube-apiserver.ts"),
        // A thread, started from the file beside the one that starts it.
        "scenario-worker": source("simulation/scenario-run/scenario-worker.ts"),
      },
      output: {
        entryFileNames: "[name].js",
        chunkFileNames: "[name].js",
        // What a file exports has the same names in every build: a program that runs loads files of the next one.
        minifyInternalExports: false,
        // Without spaces and comments, and with short names inside of functions: functions keep theirs, which are in stack traces.
        minify: { compress: false, mangle: { toplevel: false }, codegen: { removeWhitespace: true } },
        codeSplitting: {
          includeDependenciesRecursively: false,
          groups: [{ name: fileOf, debugName: "by the commands that load it" }],
        },
      },
    },
  },
});
