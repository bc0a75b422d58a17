import { expect, test } from "vitest";
import type { Volume } from "../../../../api/generated/core-v1.ts";
import type { Sent } from "../../../../api/sent.ts";
import { volumePathWarnings } from "./volume-path-warnings.ts";
import { volumeWarnings } from "./volume-warnings.ts";

const items = (...paths: readonly string[]) => ({ items: paths.map((path) => ({ key: "k", path })) });

test.for<{ name: string; volume: Sent<Volume>; want: readonly string[] }>([
  { name: "a kind that is still mounted", volume: { emptyDir: {} }, want: [] },
  {
    name: "a kind that is no longer mounted",
    volume: { storageos: {} },
    want: ["volumes[0].storageOS: deprecated in v1.22, non-functional in v1.25+"],
  },
  {
    name: "a repository",
    volume: { gitRepo: {} },
    want: ["volumes[0].gitRepo: deprecated in v1.11, and disabled by default in v1.33+"],
  },
  {
    name: "a claim for a fraction of a byte",
    volume: { ephemeral: { volumeClaimTemplate: { spec: { resources: { requests: { storage: "5m" } } } } } },
    want: [
      'volumes[0].ephemeral.volumeClaimTemplate.spec.resources.requests[storage]: fractional byte value "5m" is invalid, must be an integer',
    ],
  },
])("a volume of $name gets its warnings", ({ volume, want }) => {
  expect(volumeWarnings([volume], "volumes")).toEqual(want);
});

test.for<{ name: string; volume: Sent<Volume>; want: readonly string[] }>([
  { name: "files beside each other", volume: { configMap: items("a/b", "a/c", "a/bc") }, want: [] },
  {
    name: "a file that comes twice",
    volume: { configMap: { name: "c", ...items("a", "b", "a/") } },
    want: ['volume "v" (ConfigMap "c"): overlapping paths: "a" with "a"'],
  },
  {
    name: "a file where another needs a directory",
    volume: { secret: { secretName: "s", ...items("a/b", "a") } },
    want: ['volume "v" (Secret "s"): overlapping paths: "a" with "a/b"'],
  },
  {
    name: "files of the downward API",
    volume: { downwardAPI: items("a", "a/b") },
    want: ['volume "v" (DownwardAPI): overlapping paths: "a/b" with "a"'],
  },
  {
    name: "sources with the same files",
    volume: {
      projected: {
        sources: [
          { serviceAccountToken: { path: "token" } },
          { configMap: { name: "c", ...items("token") } },
          {},
          { clusterTrustBundle: { signerName: "s", path: "token/x" } },
        ],
      },
    },
    want: [
      'volume "v" (Projected) has no sources provided',
      'volume "v" (Projected): overlapping paths: "token" (ConfigMap "c") with "token" (ServiceAccountToken)',
      'volume "v" (Projected): overlapping paths: "token/x" (ClusterTrustBundle "s") with "token" (ServiceAccountToken)',
      'volume "v" (Projected): overlapping paths: "token/x" (ClusterTrustBundle "s") with "token" (ConfigMap "c")',
    ],
  },
])("a volume with $name gets its warnings", ({ volume, want }) => {
  expect(volumePathWarnings([{ name: "v", ...volume }])).toEqual(want);
});

test("files that hide each other are found among thousands", () => {
  const others = Array.from({ length: 2000 }, (_, index) => `file-${index}`);
  const configMap = { name: "c", ...items("a", ...others, "a/b", "file-7") };
  expect(volumePathWarnings([{ name: "v", configMap }])).toEqual([
    'volume "v" (ConfigMap "c"): overlapping paths: "a/b" with "a"',
    'volume "v" (ConfigMap "c"): overlapping paths: "file-7" with "file-7"',
  ]);
});

test("a path of a million slashes is as any other", () => {
  const path = `a${"/".repeat(1_000_000)}b`;
  expect(volumePathWarnings([{ name: "v", configMap: { name: "c", ...items(path, `${path}//`) } }])).toEqual([
    `volume "v" (ConfigMap "c"): overlapping paths: "${path}" with "${path}"`,
  ]);
});

test("an overlap that comes again and again is named once", () => {
  const configMap = { name: "c", ...items(...Array.from({ length: 30_000 }, () => "same"), "x", "x") };
  expect(volumePathWarnings([{ name: "v", configMap }])).toEqual([
    'volume "v" (ConfigMap "c"): overlapping paths: "same" with "same"',
    'volume "v" (ConfigMap "c"): overlapping paths: "x" with "x"',
  ]);
});

test("of thousands of files that hide each other as many are named as fit into a response", () => {
  const paths = Array.from({ length: 30_000 }, (_, index) => `a/${index}`);
  const warnings = volumePathWarnings([{ name: "v", configMap: items("a", ...paths) }]);
  expect(warnings).toHaveLength(60);
});
