import { availableParallelism } from "node:os";
import path from "node:path";
import { defineConfig } from "vitest/config";

// Two tiers: `unit` is what `npm test` runs, `full` adds what takes minutes; and `cluster`, which needs a real control
// plane, is what `npm run test:cluster` runs. The name of a file says where it runs:
//   x.test.ts        in `unit` only
//   x.full.test.ts   in `full` only
//   x.cluster.test.ts  in `cluster` only
//   x.tiers.test.ts  in both: one suite whose sizes, versions or transports differ, each from
//                    `perTier({ unit: …, full: … })` of test/tier.ts, which reads the `tier` a project provides.
export default defineConfig({
  test: {
    // vitest leaves one processor free for itself, which is half of the machine where there are two.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    projects: [
      {
        test: {
          name: "unit",
          include: ["src/**/*.test.ts", "test/**/*.test.ts", "ui/**/*.test.ts", "site/**/*.test.ts"],
          exclude: ["**/*.{full,cluster}.test.ts", "**/node_modules/**"],
          // Generous, for busy machines: nothing here waits, so only a loop that never ends should meet it.
          testTimeout: 60_000,
          // Files share one module graph per worker, which halves the time: modules of src/ keep only caches of pure results.
          isolate: false,
          provide: { tier: "unit" },
          setupFiles: ["test/fixed-seed.ts"],
          // Examples import the package by its name; here that is its sources.
          alias: [{ find: /^trimtab\/(.+)$/, replacement: path.resolve("src/$1/index.ts") }],
        },
      },
      {
        test: {
          name: "full",
          include: ["src/**/*.{full,tiers}.test.ts", "test/**/*.{full,tiers}.test.ts"],
          testTimeout: 300_000,
          hookTimeout: 300_000,
          provide: { tier: "full" },
          globalSetup: ["test/compile-programs.ts"],
          setupFiles: ["test/fixed-seed.ts"],
        },
      },
      {
        test: {
          name: "cluster",
          include: ["test/real-cluster/**/*.cluster.test.ts"],
          testTimeout: 600_000,
          hookTimeout: 600_000,
          setupFiles: ["test/fixed-seed.ts"],
          // One control plane at a time keeps a small machine busy enough.
          fileParallelism: false,
        },
      },
    ],
  },
});
