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

/** A folder for any static host: relative addresses, hashed files, nothing from elsewhere. */
export default defineConfig({
  root: import.meta.dirname,
  base: "./",
  plugins: [sharedWorker],
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
