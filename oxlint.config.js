import { readdirSync } from "node:fs";

// Imports go one way: a layer may import layers above it in this list, never below.
const layers = [
  "api",
  "decisions",
  "machinery",
  "controllers",
  "scheduler",
  "picker",
  "steering",
  "cluster",
  "user-actions",
  "kubectl",
  "simulation",
  "page",
  "cli",
];

/** What each layer may import besides itself; only tests may import `testing`. */
const mayImport = {
  api: [],
  decisions: ["api"],
  machinery: ["api"],
  controllers: ["api", "decisions", "machinery"],
  scheduler: ["api", "decisions", "machinery"],
  picker: ["api", "decisions", "machinery"],
  steering: ["api", "decisions", "machinery"],
  cluster: ["api", "decisions", "machinery", "controllers", "scheduler", "picker"],
  "user-actions": ["api", "decisions", "machinery"],
  kubectl: ["api", "decisions", "machinery"],
  simulation: [
    "api",
    "decisions",
    "machinery",
    "controllers",
    "scheduler",
    "picker",
    "cluster",
    "user-actions",
  ],
  page: ["api", "decisions", "machinery", "user-actions"],
  cli: layers,
};

/** Folders that do not import each other: controllers communicate through the API. */
const siblings = {
  decisions: [
    "downscale",
    "replicas",
    "rollout",
    "revisions",
    "stateful",
    "daemon",
    "placement",
    "spread",
    "stock",
    "jobs",
    "gather",
  ],
  controllers: ["replicaset", "deployment", "statefulset", "daemonset", "job", "cronjob"],
};

/**
 * Siblings that another sibling builds on: a ReplicaSet's plan chooses which Pods go, what plans depend on is gathered for
 * all, and stock controllers are steered by all.
 */
const mayImportSibling = {
  replicas: ["downscale", "spread"],
  revisions: ["rollout"],
  stateful: ["revisions"],
  daemon: ["revisions", "rollout", "placement"],
  gather: ["downscale", "replicas", "rollout", "spread", "stateful", "daemon", "revisions"],
  spread: ["downscale", "placement"],
  stock: ["downscale", "rollout", "placement"],
};

const pluginFolders = readdirSync(new URL("src/decisions/placement", import.meta.url), {
  withFileTypes: true,
})
  .filter((entry) => entry.isDirectory() && !["objects", "view"].includes(entry.name))
  .map(({ name }) => name);

/** Inside placement only the list of plugins names plugins, and what is read of objects knows nothing of a cluster. */
// Oxlint ignores a pattern that it cannot read, such as one with a lookahead.
const rooms = {
  daemon: [
    {
      files: ["src/decisions/daemon/**"],
      regex: `^\\.\\./placement/([^/]+\\.ts$|(view|${pluginFolders.join("|")})/)`,
      message: "daemon/ imports of placement only placement/objects/.",
    },
  ],
  placement: [
    {
      files: ["src/decisions/placement/*.ts"],
      regex: `^\\./(${pluginFolders.join("|")})/`,
      message: "The core of placement imports none of its plugins.",
    },
    { files: ["src/decisions/placement/default-plugins.ts"] },
    {
      files: ["src/decisions/placement/objects/*.ts"],
      regex: "^\\.\\./[^.]",
      message: "placement/objects/ imports nothing of placement.",
    },
    {
      files: ["src/decisions/placement/view/*.ts"],
      regex: `^\\.\\./([^/]+\\.ts$|(${pluginFolders.join("|")})/)`,
      message: "placement/view/ imports only placement/objects/.",
    },
  ],
};

/** The layers of which a cluster in a browser is made; what of them needs Node is listed below, and core is all else. */
const coreLayers = [
  "api",
  "decisions",
  "machinery",
  "controllers",
  "scheduler",
  "picker",
  "cluster",
  "user-actions",
  "simulation",
  "kubectl",
];

/** What needs Node: sockets, files, threads, keys. `test/core/core-in-browser.full.test.ts` bundles the core without it. */
const needsNode = [
  "machinery/{certificates,https-server,diagnostics}/**",
  "machinery/client/{connection,http}/**",
  "machinery/log/pino-logger.ts",
  "machinery/metrics/prometheus-metrics.ts",
  "picker/{addresses,check,kit,serve,transport}/**",
  "picker/network-connector.ts",
  "picker/credentials/check-trust.ts",
  "cluster/{data-directory,embedding}/**",
  "cluster/store/durable/**",
  "cluster/{make-folder,replace-file,write-kubeconfig}.ts",
  "cluster/apiserver/http/**",
  "cluster/apiserver/{create-api-server,host-platform}.ts",
  "cluster/apiserver/auth/{signed-token,given-token-keys}.ts",
  "cluster/apiserver/aggregation/{https-extension-transport,readable-body}.ts",
  "cluster/apiserver/handlers/subresources/proxy/forward-to-loopback.ts",
  "cluster/apiserver/webhooks/{webhook-target,https-webhook-transport}.ts",
  "simulation/{disk,outside-faults}/**",
  "simulation/run-in-threads.ts",
  "simulation/scenario-files/read-scenario.ts",
  "simulation/scenario-run/scenario-worker.ts",
].map((path) => `src/${path}`);

const folders = (names) => `^(\\.\\.?/)+(${names.join("|")})/`;

/** The modules behind the globals that `timeAndChance` bans. */
const chanceAndTimeModules = [
  { regex: "^node:(timers|timers/promises|perf_hooks)$", message: "Time comes from the injected Clock." },
  {
    regex: "^node:crypto$",
    importNames: [
      "randomUUID",
      "randomBytes",
      "randomInt",
      "randomFill",
      "randomFillSync",
      "getRandomValues",
      "webcrypto",
    ],
    message: "Chance comes from the injected Random.",
  },
];

/** Bans imports from other layers; `alsoTesting` is lifted for tests. */
function wall(layer, extra = [], { alsoTesting = true, isCore = coreLayers.includes(layer) } = {}) {
  const forbidden = layers.filter((name) => name !== layer && !mayImport[layer].includes(name));
  const patterns = [...extra, ...chanceAndTimeModules];
  if (alsoTesting) forbidden.push("testing");
  if (forbidden.length > 0) {
    patterns.push({
      regex: folders(forbidden),
      message: `${layer}/ may import only: ${mayImport[layer].join(", ") || "nothing of this package"}.`,
    });
  }
  if (isCore)
    patterns.push({
      regex: "^(node:|undici$|@grpc/|lmdb$|pino$|prom-client$)",
      message: `This runs in browsers too, without Node. What needs it is in needsNode of oxlint.config.js.`,
    });
  return { "no-restricted-imports": ["error", { patterns }] };
}

const walls = layers.flatMap((layer) => {
  const neighbours = (siblings[layer] ?? []).flatMap((name) => {
    const allowed = [name, ...(mayImportSibling[name] ?? [])];
    const others = siblings[layer].filter((other) => !allowed.includes(other));
    const message = `${layer}/${name} and its siblings do not import each other.`;
    const between = { regex: folders(others), message };
    return [
      { files: [`src/${layer}/${name}/**`], rules: wall(layer, [between]) },
      ...(rooms[name] ?? []).map(({ files, ...more }) => ({
        files,
        rules: wall(layer, "regex" in more ? [between, more] : [between]),
      })),
    ];
  });
  const tests = ["test", "contract", "cases"].map((kind) => `src/${layer}/**/*.${kind}.ts`);
  return [
    { files: [`src/${layer}/**`], rules: wall(layer) },
    ...neighbours,
    ...needsNode
      .filter((path) => path.startsWith(`src/${layer}/`))
      .map((path) => ({ files: [path], rules: wall(layer, [], { isCore: false }) })),
    // Tests may import any layer.
    { files: tests, rules: { "no-restricted-imports": "off" } },
  ];
});

/** What the page in the browser may import: data, and code that runs in a browser. */
const pageMayImport = [
  "{api,decisions,machinery,kubectl}/**",
  "page/contract.ts",
  "user-actions/{user-action,action-outcome,kubectl-line,describe-action}.ts",
  // What a report of `trimtab simulate` shows, and how its numbers are written.
  "simulation/scenario-comparison/**",
  "simulation/scenario-run/scenario-result.ts",
  "simulation/tracking/time-series.ts",
  "cli/simulate/report-data.ts",
  // A moment is saved as the file that `trimtab snapshot` writes.
  "simulation/snapshot/{snapshot,anonymise,read-snapshot}.ts",
];

// The exceptions are negated globs: oxlint ignores a regex with a lookahead.
const pageWall = {
  files: ["ui/**"],
  rules: {
    "no-restricted-imports": [
      "error",
      {
        patterns: [
          ...chanceAndTimeModules,
          { group: ["node:*", "node:*/**"], message: "The page runs in a browser." },
          {
            group: ["**/src/**", ...pageMayImport.map((path) => `!**/src/${path}`)],
            message:
              "ui/ may import only: api, decisions, machinery, kubectl, the contract of page, user actions as data, snapshots, and the data of reports.",
          },
        ],
      },
    ],
  },
};

/** The cluster of the playground runs in a worker beside the page: it is made of the core, which needs no Node. */
const workerWall = {
  files: ["ui/playground/worker/**"],
  rules: {
    "no-restricted-imports": [
      "error",
      {
        patterns: [
          ...chanceAndTimeModules,
          { group: ["node:*", "node:*/**"], message: "The worker runs in a browser." },
          {
            group: [
              "**/src/**",
              ...[...coreLayers, "kubectl"].map((layer) => `!**/src/${layer}/**`),
              "!**/src/page/contract.ts",
              // How lines name objects and changes: both are pure.
              "!**/src/cli/explain/object-argument.ts",
              "!**/src/cli/whatif/change-flags.ts",
            ],
            message:
              "ui/playground/worker/ may import only the layers of the core, the contract of page, and how lines of trimtab name objects.",
          },
        ],
      },
    ],
  },
};

const time = ["Date", "setTimeout", "setInterval", "setImmediate", "performance"];
const timeAndChance = {
  "no-restricted-globals": [
    "error",
    ...time.map((name) => ({ name, message: "Time comes from the injected Clock." })),
  ],
  "no-restricted-properties": [
    "error",
    { object: "Math", property: "random", message: "Chance comes from the injected Random." },
    ...["randomUUID", "randomBytes", "randomInt", "getRandomValues", "randomFillSync", "randomFill"].map(
      (property) => ({
        object: "crypto",
        property,
        message: "Chance comes from the injected Random.",
      }),
    ),
    { object: "process", property: "hrtime", message: "Time comes from the injected Clock." },
  ],
};

/** Globals of Node that browsers do not have. */
const nodeGlobals = ["Buffer", "process", "require", "__dirname"].map((name) => ({
  name,
  message: "This runs in browsers too: src/api/bytes.ts and src/api/base64.ts are for bytes.",
}));

const coreGlobals = [
  {
    files: coreLayers.map((layer) => `src/${layer}/**`),
    rules: {
      "no-restricted-globals": [...timeAndChance["no-restricted-globals"], ...nodeGlobals],
    },
  },
  {
    files: [...needsNode, "src/**/*.{test,contract,cases}.ts", "src/simulation/processes.ts"],
    rules: { "no-restricted-globals": timeAndChance["no-restricted-globals"] },
  },
];

export default {
  plugins: ["eslint", "typescript", "unicorn", "oxc", "import", "vitest", "promise"],
  categories: { correctness: "error", suspicious: "error", perf: "error" },
  ignorePatterns: ["src/api/generated/**"],
  rules: {
    ...timeAndChance,
    // A switch over a union counts once.
    complexity: ["error", { max: 10, variant: "modified" }],
    "max-depth": ["error", 3],
    "max-params": ["error", 3],
    "max-lines": ["error", { max: 300, skipBlankLines: true, skipComments: true }],
    "import/no-cycle": "error",
    "import/no-default-export": "error",
    "typescript/no-explicit-any": "error",
    "typescript/no-non-null-assertion": "error",
    "typescript/no-misused-promises": "error",
    "typescript/switch-exhaustiveness-check": "error",
    "typescript/consistent-type-imports": "error",
    "no-console": "error",
    eqeqeq: "error",
    // A loop that awaits keeps the order of work; batches are explicit where they matter.
    "no-await-in-loop": "off",
    // Readability first; bench/ measures where it could matter.
    "oxc/no-accumulating-spread": "off",
    // Objects are immutable: a changed one is a new one.
    "oxc/no-map-spread": "off",
    // tsc's noImplicitReturns knows when a switch is exhaustive; this rule does not.
    "typescript/consistent-return": "off",
    // Worker threads have no origin.
    "unicorn/require-post-message-target-origin": "off",
    "no-shadow": "off",
    "import/no-unassigned-import": "off",
    "unicorn/no-array-sort": "off",
    "unicorn/no-array-reverse": "off",
    "unicorn/consistent-function-scoping": "off",
    "vitest/require-mock-type-parameters": "off",
    "typescript/no-unsafe-type-assertion": "off",
    "vitest/expect-expect": "off",
    "vitest/no-standalone-expect": "off",
    "vitest/valid-title": "off",
    "vitest/no-conditional-expect": "off",
  },
  overrides: [
    ...walls,
    ...coreGlobals,
    pageWall,
    workerWall,
    {
      files: ["ui/**/*.test.ts", "ui/**/vite.config.ts"],
      rules: { "no-restricted-imports": "off" },
    },
    {
      // The implementations of Clock and Random, and what measures time.
      files: [
        "src/machinery/clock/*-clock.ts",
        "src/machinery/clock/next-turn.ts",
        "src/machinery/random/system-random.ts",
        "src/api/time.ts",
        "ui/live/browser-clock.ts",
        "ui/live/browser-random.ts",
        "src/cluster/apiserver/http/response/yield-to-event-loop.ts",
        "bench/**",
      ],
      rules: {
        "no-restricted-globals": "off",
        "no-restricted-properties": "off",
        "no-restricted-imports": "off",
      },
    },
    {
      files: [
        "src/cli/**",
        "bench/**",
        "test/vectors/main.ts",
        "test/chaos/main.ts",
        "test/fuzz/main.ts",
        "test/histories/main.ts",
        "test/soak/main.ts",
        "test/faults/main.ts",
        "test/faults/operators/operator-process.ts",
        "test/hostile/main.ts",
        "site/main.ts",
      ],
      rules: { "no-console": "off" },
    },
    {
      files: ["**/*.test.ts", "**/*.contract.ts", "test/**", "bench/**"],
      rules: {
        "max-lines": ["error", { max: 500, skipBlankLines: true, skipComments: true }],
        "max-params": "off",
      },
    },
    { files: ["**/*.cases.ts"], rules: { "max-lines": "off" } },
    {
      files: ["vitest.config.ts", "ui/**/vite.config.ts"],
      rules: { "import/no-default-export": "off" },
    },
  ],
};
