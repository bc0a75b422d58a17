import path from "node:path";
import { defineConfig } from "vite";

/** A folder for any static host: relative addresses, hashed files, nothing from elsewhere. */
export default defineConfig({
  root: import.meta.dirname,
  base: "./",
  worker: { format: "es" },
  build: {
    outDir: path.join(import.meta.dirname, "../../dist/playground"),
    emptyOutDir: true,
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    target: "es2023",
    chunkSizeWarningLimit: 3000,
  },
});
