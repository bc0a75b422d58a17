import path from "node:path";
import { defineConfig } from "vite";

/** The script and the style of the site of the documentation: one file each, which also work when opened from a folder. */
export default defineConfig({
  root: import.meta.dirname,
  build: {
    outDir: path.join(import.meta.dirname, "../../.build/docs"),
    emptyOutDir: false,
    target: "es2023",
    lib: {
      entry: path.join(import.meta.dirname, "site.ts"),
      formats: ["iife"],
      name: "trimtabSite",
      fileName: () => "site.js",
      cssFileName: "site",
    },
  },
});
