import { defineConfig } from "vitest/config";

// Two tiers: `unit` is what `npm test` runs; `full` adds what takes minutes (`*.full.test.ts`).
export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: "unit",
          include: ["src/**/*.test.ts", "test/**/*.test.ts"],
          exclude: ["**/*.full.test.ts", "**/node_modules/**"],
        },
      },
      {
        test: {
          name: "full",
          include: ["src/**/*.full.test.ts", "test/**/*.full.test.ts"],
          testTimeout: 120_000,
        },
      },
    ],
  },
});
