import { execFile, execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { runClient } from "../clients/client-process.ts";
import { type BuiltTool, buildTool } from "../clients/tool-cache.ts";
import { newestKubectl } from "../kubectl/kubectls.ts";

const run = promisify(execFile);
const repository = fileURLToPath(new URL("../..", import.meta.url));

interface Story {
  readonly example: string;
  /** What the story needs besides bash, kubectl and openssl. */
  readonly toolchain: () => Promise<BuiltTool>;
  /** What the script reads from its environment to find that. */
  readonly environment: (folder: string) => NodeJS.ProcessEnv;
  readonly lastLine: string;
}

/** Python with psycopg; where that cannot be installed, Python alone, with which the story uses SQLite. */
async function airflowPicker(): Promise<BuiltTool> {
  const sources = path.join(repository, "examples/airflow-workers");
  const version = ["python3", "--version"];
  const build = [
    ["python3", "-m", "venv", "env"],
    ["env/bin/python", "-m", "pip", "install", "--quiet", "--requirement", "requirements.txt"],
  ];
  const tool = await buildTool({ name: "airflow-picker", sources, version, build });
  return "missing" in tool
    ? buildTool({ name: "airflow-picker-without-psycopg", sources, version, build: [] })
    : tool;
}

/** A PostgreSQL server, and Python with psycopg, which the queue needs. */
async function queueWorkers(): Promise<BuiltTool> {
  const { code, out } = await runClient({ command: ["pg_config", "--bindir"], env: process.env });
  if (code !== 0 || !existsSync(path.join(out.trim(), "initdb")))
    return { missing: "skipped: no PostgreSQL server here" };
  return buildTool({
    name: "queue-workers",
    sources: path.join(repository, "examples/postgres-queue"),
    version: ["python3", "--version"],
    build: [
      ["python3", "-m", "venv", "env"],
      ["env/bin/python", "-m", "pip", "install", "--quiet", "--requirement", "requirements.txt"],
    ],
  });
}

/** Nothing has to be built: Node runs it. */
const nodeAlone = (): Promise<BuiltTool> => Promise.resolve({ folder: repository });

const stories: readonly Story[] = [
  {
    example: "airflow-workers",
    toolchain: airflowPicker,
    environment: (folder) => {
      const python = path.join(folder, "env/bin/python");
      return existsSync(python) ? { PYTHON: python } : {};
    },
    lastLine: "the workers with the most to lose have stayed",
  },
  {
    example: "postgres-queue",
    toolchain: queueWorkers,
    environment: (folder) => ({ PYTHON: path.join(folder, "env/bin/python") }),
    lastLine: "the workers that have tasks have stayed",
  },
  {
    example: "game-shards",
    toolchain: () =>
      buildTool({
        name: "game-shards",
        sources: path.join(repository, "examples/game-shards"),
        version: ["go", "version"],
        build: [
          ["curl", "--version"],
          ["go", "test", "-p", "1", "."],
        ],
      }),
    environment: () => ({ GOCACHE: execFileSync("go", ["env", "GOCACHE"], { encoding: "utf8" }).trim() }),
    lastLine: "three premium players have stayed, because they count more than twelve others",
  },
  {
    example: "spark-executors",
    toolchain: nodeAlone,
    environment: () => ({}),
    lastLine: "the long task and the shuffle data have stayed",
  },
  {
    example: "regional-web",
    toolchain: nodeAlone,
    environment: () => ({}),
    lastLine: "every region still serves",
  },
];

/** The examples beside an installed package, as a user has them. */
let folder: string;
beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), "trimtab-stories-"));
  const modules = path.join(repository, "node_modules");
  const installed = path.join(folder, "node_modules/trimtab");
  mkdirSync(installed, { recursive: true });
  const build = ["-p", "tsconfig.build.json", "--outDir", path.join(installed, "dist")];
  await run(process.execPath, [path.join(modules, "typescript/bin/tsc"), ...build], { cwd: repository });
  const bundle = [path.join(repository, "scripts/bundle-program.mjs"), path.join(installed, "dist/cli")];
  await run(process.execPath, bundle);
  cpSync(path.join(repository, "package.json"), path.join(installed, "package.json"));
  symlinkSync(modules, path.join(installed, "node_modules"));
  for (const name of [".bin", "typescript", "@types", "@kubernetes"])
    symlinkSync(path.join(modules, name), path.join(folder, "node_modules", name));
  cpSync(path.join(repository, "examples"), path.join(folder, "examples"), { recursive: true });
  mkdirSync(path.join(folder, "bin"));
  for (const { program } of newestKubectl()) symlinkSync(program, path.join(folder, "bin/kubectl"));
}, 300_000);
afterAll(() => rmSync(folder, { recursive: true, force: true }), 120_000); // hundreds of files

const trimtab = () => [process.execPath, path.join(folder, "node_modules/trimtab/dist/cli/main.js")];

const environmentOfStories = () => ({
  PATH: [path.join(folder, "bin"), process.env["PATH"]].join(path.delimiter),
  HOME: folder,
  XDG_STATE_HOME: folder,
  TRIMTAB: trimtab().join(" "),
});

/** Which of the programs that every story needs is missing here. */
async function missingProgram(): Promise<string | undefined> {
  if (newestKubectl().length === 0) return "skipped: no kubectl here";
  for (const [program, word] of [
    ["bash", "--version"],
    ["openssl", "version"],
  ] as const) {
    const { code } = await runClient({ command: [program, word], env: process.env });
    if (code !== 0) return `skipped: no ${program} here`;
  }
  return undefined;
}

async function clusters(): Promise<unknown> {
  const { out } = await runClient({ command: trimtab(), env: environmentOfStories() }, "list", "--json");
  return JSON.parse(out);
}

test.for(stories)(
  "$example: the right Pods stay",
  { timeout: 1_800_000 },
  async ({ example, toolchain, environment, lastLine }, { skip }) => {
    const missing = await missingProgram();
    if (missing !== undefined) return skip(missing);
    const tool = await toolchain();
    if ("missing" in tool) return skip(tool.missing);
    const command = ["bash", path.join(folder, "examples", example, "run.sh")];
    const env = { ...environmentOfStories(), ...environment(tool.folder) };
    const { code, out, err } = await runClient({ command, env });
    if (code !== 0) throw new Error(`${example} has failed: ${out}${err}`);
    process.stdout.write(out.replace(/^(?!database: ).*\n/gm, "")); // PostgreSQL or SQLite, and why
    expect(out.trim().split("\n").at(-1)).toBe(lastLine);
    expect(await clusters()).toEqual([]);
  },
);

test("a story that fails ends the cluster and the servers it started", async ({ skip }) => {
  const missing = await missingProgram();
  if (missing !== undefined) return skip(missing);
  const script =
    ". ../story.sh; start_cluster >&2; start driver node driver.mjs none; echo $!; fail 'it failed'";
  const cwd = path.join(folder, "examples/spark-executors");
  const command = ["bash", "-c", `cd '${cwd}'; ${script}`];
  const { code, out, err } = await runClient({ command, env: environmentOfStories() });
  expect({ code, err }).toEqual({ code: 1, err: expect.stringContaining("it failed\n") });
  expect(() => process.kill(Number(out), 0)).toThrow("ESRCH");
  expect(await clusters()).toEqual([]);
});
