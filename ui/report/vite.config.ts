import path from "node:path";
import { defineConfig } from "vite";

/** The script and the style that `trimtab simulate --report` puts into its page: one file each, with the plotting library. */
export default defineConfig({
  root: import.meta.dirname,
  define: { "process.env.NODE_ENV": '"production"' },
  build: {
    outDir: path.join(import.meta.dirname, "../../dist/report"),
    emptyOutDir: true,
    target: "es2023",
    lib: {
      entry: path.join(import.meta.dirname, "report.tsx"),
      formats: ["iife"],
      name: "trimtabReport",
      fileName: () => "report.js",
      cssFileName: "report",
    },
  },
});
