// Sets the project up before it runs something, so that a fresh clone needs no other command:
// installs when the lock file is newer than what is installed, builds what the command needs, then runs it.
import { spawn, spawnSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { createHash } from "node:crypto";
import { fileURLToPath } from "node:url";
import path from "node:path";
import { npm, npmWords } from "./npm.mjs";

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "..");
const [command, ...args] = process.argv.slice(2);

const commands = {
  start: () => [
    pageMeanwhile,
    reportPage,
    ...(args[0] === "playground" ? [playground] : []),
    library,
    program,
    node("dist/cli/main.js", ...(args.length > 0 ? args : ["up"])),
  ],
  test: () => [npmRun("check")],
  "test:full": () => [npmRun("check:full")],
  "test:operators": () => [withEveryOperator("check:operators")],
  "test:cluster": () => [program, onControlPlane("check:cluster")],
  bench: () => [tools, program, args.includes("compare") ? comparison : node(benchMain, ...args)],
  chaos: () => [tools, node(".build/test/chaos/main.js", ...args)],
  fuzz: () => [tools, node(".build/test/fuzz/main.js", ...args)],
  flood: () => [tools, node(".build/test/hostile/main.js", ...args)],
  soak: () => [tools, node(".build/test/soak/main.js", ...args)],
  reliability: () => [tools, program, node("scripts/reliability.mjs", ...args)],
  site: () => [playground, tools, node(".build/site/main.js", ...args)],
  histories: () => [tools, node(".build/test/histories/main.js", ...args)],
  "faults:operators": () => [tools, node(".build/test/faults/main.js", ...args)],
  vectors: () => [tools, node(".build/test/vectors/main.js", ...args)],
};

function run(program, argv, options = {}) {
  const result = spawnSync(program, argv, { cwd: root, stdio: "inherit", ...options });
  if (result.error) fail(`${program} could not be started: ${result.error.message}`);
  return result.status ?? 1;
}

const node =
  (script, ...argv) =>
  () =>
    run(process.execPath, [path.join(root, script), ...argv], { cwd: process.env.INIT_CWD ?? process.cwd() });
const runScript = (script, args, options) =>
  run(npm, [...npmWords, "run", "--silent", script, ...args], options);
const npmRun = (script) => () => runScript(script, []);
/** With all suites of operators, where the full tier runs some. */
const withEveryOperator = (script) => () =>
  runScript(script, [], { env: { ...process.env, TRIMTAB_OPERATORS: "all" } });
/** Builds the programs of a real control plane, unless they are built; status 3: they cannot be had, which has been said. */
const builtControlPlane = () =>
  spawnSync(process.execPath, [path.join(root, "scripts/build-control-plane.mjs")], {
    stdio: ["ignore", "pipe", "inherit"],
    encoding: "utf8",
  });
const withControlPlane = ({ stdout }) => ({ ...process.env, TRIMTAB_CONTROL_PLANE: stdout.trim() });
/** With the programs of a real control plane, where they can be had; where not, that is no failure. */
const onControlPlane = (script) => () => {
  const made = builtControlPlane();
  if (made.status === 3) return 0;
  if (made.status !== 0) return made.status ?? 1;
  return runScript(script, ["--", ...args], { env: withControlPlane(made) });
};
const benchMain = ".build/bench/main.js";
/** Beside the programs of Kubernetes, where they can be had; without them, where not. */
const comparison = () => {
  const made = builtControlPlane();
  const env = made.status === 0 ? withControlPlane(made) : process.env;
  return run(process.execPath, [path.join(root, benchMain), ...args], { env });
};
const compile = (project) => () => run(process.execPath, [bin("typescript", "bin/tsc"), "-p", project]);
const tools = compile("tsconfig.tools.json");

/** Compiles what programs import by the name of the package, if its sources have changed. */
const library = () =>
  unlessBuilt(
    "dist/index.js",
    ["src", "tsconfig.json", "tsconfig.build.json", "package-lock.json"],
    compile("tsconfig.build.json"),
  );

/** What the bundle of the program is made of. */
const programSources = [
  "src",
  "scripts/bundle-program.mjs",
  "package.json",
  "package-lock.json",
  "tsconfig.json",
];

/** Bundles the program, if its sources have changed. */
const program = () =>
  unlessBuilt("dist/cli/main.js", programSources, () =>
    run(process.execPath, [path.join(root, "scripts/bundle-program.mjs")], {
      stdio: ["ignore", 2, "inherit"],
    }),
  );

/**
 * Builds many files, of which this is one, unless they were built since the sources changed. The file itself does not tell:
 * it may be newer than a source that changed during the build, or the only one of a build that was interrupted.
 */
function unlessBuilt(file, sources, build) {
  const stamp = path.join(".build/built", file);
  if (existsSync(path.join(root, file)) && isBuilt(stamp, sources)) return 0;
  const began = new Date();
  const status = build();
  if (status !== 0) return status;
  mkdirSync(path.join(root, path.dirname(stamp)), { recursive: true });
  writeFileSync(path.join(root, stamp), "");
  utimesSync(path.join(root, stamp), began, began);
  return 0;
}

/** What the bundle of the page is made of. */
const pageSources = ["ui", "src/api", "src/decisions", "src/machinery", "src/page", "package-lock.json"];

/** Builds the page, if its sources are newer, while the rest goes on: until it is there, its server says so. */
function pageMeanwhile() {
  if (isBuilt("dist/ui/index.html", pageSources)) return 0;
  const vite = [bin("vite", "bin/vite.js"), "build", "ui", "--logLevel", "warn"];
  const building = spawn(process.execPath, vite, { cwd: root, stdio: ["ignore", 2, "inherit"] });
  building.on("error", (error) => console.error(`trimtab: the page could not be built: ${error.message}`));
  building.unref();
  return 0;
}

/** Builds the playground, if its sources are newer. */
function playground() {
  if (isBuilt("dist/playground/index.html", ["ui", "src", "examples", "package-lock.json"])) return 0;
  return run(process.execPath, [bin("vite", "bin/vite.js"), "build", "ui/playground", "--logLevel", "warn"], {
    stdio: ["ignore", 2, "inherit"],
  });
}

/** Builds the page of reports, if its sources are newer: `trimtab simulate --report` needs it, however it is started later. */
function reportPage() {
  const sources = ["ui/report", "src/api", "src/simulation/scenario-comparison", "package-lock.json"];
  if (isBuilt("dist/report/report.js", sources)) return 0;
  return run(process.execPath, [bin("vite", "bin/vite.js"), "build", "ui/report", "--logLevel", "warn"], {
    stdio: ["ignore", 2, "inherit"],
  });
}

/** Whether a file is there and newer than all of its sources. */
function isBuilt(file, sources) {
  const built = path.join(root, file);
  const builtAt = existsSync(built) ? statSync(built).mtimeMs : 0;
  return sources.every((source) => changedAt(path.join(root, source)) <= builtAt);
}

/** When a file, or any file in a folder, was changed last. */
function changedAt(file) {
  const stat = statSync(file);
  if (!stat.isDirectory()) return stat.mtimeMs;
  return Math.max(stat.mtimeMs, ...readdirSync(file).map((name) => changedAt(path.join(file, name))));
}

function bin(pkg, file) {
  return path.join(root, "node_modules", pkg, file);
}

function fail(sentence) {
  console.error(`trimtab: ${sentence}`);
  process.exit(1);
}

/**
 * Installs what the lock file says, once per lock file. Not with `npm ci`, which refuses (from npm 11 on) when a registry mirror lacks the
 * native packages of platforms that are not this one, which are not needed here.
 */
function install() {
  const stamp = path.join(root, "node_modules", ".trimtab-lock");
  const lock = createHash("sha256")
    .update(readFileSync(path.join(root, "package-lock.json")))
    .digest("hex");
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === lock) return;
  console.error("trimtab: installing dependencies (first run, or the lock file changed)");
  const status = run(
    npm,
    [...npmWords, "install", "--no-save", "--no-audit", "--no-fund", "--loglevel=error"],
    {
      stdio: ["ignore", 2, "inherit"],
    },
  );
  if (status !== 0) fail("npm install failed; see above");
  writeFileSync(stamp, lock);
}

const steps = commands[command];
if (steps === undefined) fail(`unknown command ${command}; one of: ${Object.keys(commands).join(", ")}`);
install();
for (const step of steps()) {
  const status = step();
  if (status !== 0) process.exit(status);
}
