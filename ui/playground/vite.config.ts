import { createHash } from "node:crypto";
import path from "node:path";
import { defineConfig, type Plugin } from "vite";

const worker = "./worker/main.ts";
const workerAddress = "virtual:worker-address";

/**
 * The address of the worker as a chunk of this build: what it shares with the page is one file then, while Vite would
 * bundle a worker by itself and send a third of the page twice.
 */
const sharedWorker: Plugin = {
  name: "shared-worker",
  resolveId: (id) => (id === workerAddress ? `\0${workerAddress}` : undefined),
  load(id) {
    if (id !== `\0${workerAddress}`) return undefined;
    const file = this.emitFile({
      type: "chunk",
      id: path.join(import.meta.dirname, worker),
      name: "cluster",
    });
    return `export const workerAddress = import.meta.ROLLUP_FILE_URL_${file};`;
  },
};

/**
 * Modules that a cluster needs for some objects only: patterns, schedules, expressions, custom kinds, admission policies. What
 * they export is used inside of functions, never while a module is loaded.
 */
const laterModules: readonly string[] = [
  "node_modules/re2js/build/index.js",
  "node_modules/croner/dist/croner.js",
  "src/cluster/apiserver/cel/compile-expression.ts",
  "src/cluster/apiserver/cel/evaluate/run-program.ts",
  "src/cluster/apiserver/cel/cost/estimate-cost.ts",
  "src/cluster/apiserver/custom-resources/custom-kind.ts",
  "src/cluster/apiserver/custom-resources/rules/compile-rules.ts",
  "src/cluster/apiserver/custom-resources/rules/validate-default-rules.ts",
  "src/cluster/apiserver/custom-resources/structural/read-structural-schema.ts",
  "src/cluster/apiserver/custom-resources/structural/validate-defaults.ts",
  "src/cluster/apiserver/kinds/admission-policy/validate-policy.ts",
  "src/cluster/apiserver/kinds/custom-resource-definition/validate-conversion.ts",
  "src/cluster/apiserver/kinds/custom-resource-definition/validate-version.ts",
  "src/cluster/apiserver/kinds/custom-resource-definition/validate-version-parts.ts",
  "src/cluster/apiserver/kinds/webhook-configuration/validate-webhook.ts",
  "src/cluster/apiserver/admission/policies/compile-policy.ts",
  "src/cluster/apiserver/admission/policies/compile-policy-expression.ts",
  "src/cluster/apiserver/admission/policies/type-checks/check-policy-types.ts",
  "src/cluster/apiserver/admission/policies/evaluate-policy.ts",
  "src/cluster/apiserver/admission/policies/policy-evaluation.ts",
  "src/cluster/apiserver/webhooks/ask-webhook.ts",
  "src/cluster/apiserver/custom-resources/conversion/check-converted.ts",
  "src/cluster/apiserver/custom-resources/conversion/conversion-review.ts",
  "src/cluster/store/durable/durable-store.ts",
  "src/cluster/apiserver/webhooks/match-conditions/compile-condition.ts",
  "src/cluster/apiserver/webhooks/match-conditions/evaluate-conditions.ts",
  "src/cluster/apiserver/kinds/custom-resource-definition/definition-warnings.ts",
  "src/cluster/apiserver/admission/expression-variables.ts",
  "src/cluster/apiserver/aggregation/extension-openapi.ts",
  "src/api/schema/protobuf/decode-protobuf.ts",
  "src/simulation/snapshot/load-snapshot.ts",
  "src/simulation/snapshot/read-snapshot.ts",
  "src/simulation/snapshot/snapshot.ts",
];

const laterPrefix = "\0later:";
/** There is no such file: this plugin writes it. */
const allOfLater = path.join(import.meta.dirname, "worker/rare-kinds.ts");
const root = path.join(import.meta.dirname, "../..");
const laterFiles = laterModules.map((file) => path.join(root, file));
const quoted = (file: string) => JSON.stringify(file);

/** Keeps modules out of the first transfer: those that import them get bindings that `loadLater` of the worker fills. */
const laterPlugin: Plugin = {
  name: "later",
  enforce: "pre",
  async resolveId(id, importer) {
    if (id === allOfLater) return id;
    // Among themselves these modules import each other as ever.
    if (importer === undefined || importer === allOfLater || laterFiles.includes(importer)) return undefined;
    const resolved = await this.resolve(id, importer, { skipSelf: true });
    return resolved !== null && laterFiles.includes(resolved.id) ? `${laterPrefix}${resolved.id}` : undefined;
  },
  async load(id) {
    // One file with all of them, since they are loaded together.
    if (id === allOfLater)
      return laterFiles.map((file, index) => `export * as module${index} from ${quoted(file)};`).join("\n");
    if (!id.startsWith(laterPrefix)) return undefined;
    const file = id.slice(laterPrefix.length);
    const { exports } = await this.load({ id: file });
    const names = exports.filter((name) => name !== "default").join(", ");
    return `import { later } from ${quoted(path.join(import.meta.dirname, "worker/later.ts"))};
export let ${names};
later.push(async () => {
  const all = await import(${quoted(allOfLater)});
  ({ ${names} } = all.module${laterFiles.indexOf(file)});
});`;
  },
};

const serviceWorker = path.join(import.meta.dirname, "offline/service-worker.ts");
const serviceWorkerFile = "service-worker.js";

/** Writes the service worker, with the names of all files: those have hashes, so that they and the page say which version it is. */
const offlinePlugin: Plugin = {
  name: "offline",
  buildStart() {
    this.emitFile({ type: "chunk", id: serviceWorker, fileName: serviceWorkerFile });
  },
  generateBundle: {
    order: "post",
    handler(_options, bundle) {
      const { [serviceWorkerFile]: chunk, "index.html": page } = bundle;
      if (chunk?.type !== "chunk" || page?.type !== "asset")
        throw new Error("the service worker has no page");
      const files = Object.keys(bundle)
        .filter((file) => file.startsWith("assets/"))
        .toSorted();
      const version = createHash("sha256").update(files.join("\n")).update(page.source).digest("hex");
      const built = { builtFiles: files, builtVersion: version.slice(0, 16) };
      const constants = Object.entries(built).map(([name, value]) => `${name}=${JSON.stringify(value)}`);
      chunk.code = `const ${constants.join(",")};${chunk.code}`;
    },
  },
};

/** A folder for any static host: relative addresses, hashed files, nothing from elsewhere. */
export default defineConfig({
  root: import.meta.dirname,
  base: "./",
  plugins: [sharedWorker, laterPlugin, offlinePlugin],
  build: {
    outDir: path.join(import.meta.dirname, "../../dist/playground"),
    emptyOutDir: true,
    assetsInlineLimit: 0,
    // The loader of modules that Vite adds looks for a document, which a worker does not have.
    modulePreload: false,
    target: "es2023",
    chunkSizeWarningLimit: 3000,
  },
});
