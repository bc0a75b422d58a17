import { execFile, execFileSync } from "node:child_process";
import { cpSync, mkdirSync, symlinkSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { runClient } from "../clients/client-process.ts";
import { type BuiltTool, buildTool } from "../clients/tool-cache.ts";
import { temporaryFolder } from "../durable/compiled.ts";
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

/** Nothing has to be built: Node runs it. */
const nodeAlone = (): Promise<BuiltTool> => Promise.resolve({ folder: repository });

const stories: readonly Story[] = [
  {
    example: "20-airflow-workers",
    toolchain: () =>
      buildTool({
        name: "airflow-picker",
        sources: path.join(repository, "examples/20-airflow-workers"),
        version: ["python3", "--version"],
        build: [
          ["python3", "-m", "venv", "env"],
          ["env/bin/python", "-m", "pip", "install", "--quiet", "--requirement", "requirements.txt"],
        ],
      }),
    environment: (folder) => ({ PYTHON: path.join(folder, "env/bin/python") }),
    lastLine: "the workers with the most to lose have stayed",
  },
  {
    example: "21-game-shards",
    toolchain: () =>
      buildTool({
        name: "game-shards",
        sources: path.join(repository, "examples/21-game-shards"),
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
    example: "22-spark-executors",
    toolchain: nodeAlone,
    environment: () => ({}),
    lastLine: "the long task and the shuffle data have stayed",
  },
];

/** The examples beside an installed package, as a user has them; returns their folder. */
async function installedExamples(): Promise<string> {
  const folder = temporaryFolder();
  const modules = path.join(repository, "node_modules");
  const installed = path.join(folder, "node_modules/trimtab");
  mkdirSync(installed, { recursive: true });
  const build = ["-p", "tsconfig.build.json", "--outDir", path.join(installed, "dist")];
  await run(process.execPath, [path.join(modules, "typescript/bin/tsc"), ...build], { cwd: repository });
  cpSync(path.join(repository, "package.json"), path.join(installed, "package.json"));
  symlinkSync(modules, path.join(installed, "node_modules"));
  for (const name of ["typescript", "@types", "@kubernetes"])
    symlinkSync(path.join(modules, name), path.join(folder, "node_modules", name));
  cpSync(path.join(repository, "examples"), path.join(folder, "examples"), { recursive: true });
  return folder;
}

/** What of the programs that every story needs is missing here. */
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

test.for(stories)(
  "$example: the right Pods stay",
  { timeout: 1_800_000 },
  async ({ example, toolchain, environment, lastLine }, { skip }) => {
    const missing = await missingProgram();
    if (missing !== undefined) return skip(missing);
    const tool = await toolchain();
    if ("missing" in tool) return skip(tool.missing);
    const folder = await installedExamples();
    const trimtab = `${process.execPath} ${path.join(folder, "node_modules/trimtab/dist/cli/main.js")}`;
    const env = {
      PATH: pathWithKubectl(folder),
      HOME: folder,
      XDG_STATE_HOME: folder,
      TRIMTAB: trimtab,
      ...environment(tool.folder),
    };
    const script = { command: ["bash", path.join(folder, "examples", example, "run.sh")], env };
    const { code, out, err } = await runClient(script);
    expect(code, err).toBe(0);
    expect(out.trim().split("\n").at(-1)).toBe(lastLine);
    const list = { command: trimtab.split(" "), env };
    expect(await runClient(list, "list", "--json")).toMatchObject({ code: 0, out: "[]\n" });
  },
);

/** The PATH with the newest kubectl under that name. */
function pathWithKubectl(folder: string): string {
  const programs = path.join(folder, "bin");
  mkdirSync(programs);
  for (const { program } of newestKubectl()) symlinkSync(program, path.join(programs, "kubectl"));
  return [programs, process.env["PATH"]].join(path.delimiter);
}
