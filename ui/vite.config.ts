import path from "node:path";
import { defineConfig } from "vite";

/** The page as `trimtab up` and `trimtab page` serve it: hashed files that a strict Content-Security-Policy allows. */
export default defineConfig({
  root: import.meta.dirname,
  build: {
    outDir: path.join(import.meta.dirname, "../dist/ui"),
    emptyOutDir: true,
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    target: "es2023",
    chunkSizeWarningLimit: 1000,
  },
});
