import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
} from "node:fs";
import { homedir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { WallClock } from "../../src/machinery/clock/wall-clock.ts";

const clock = new WallClock();

const execute = promisify(execFile);

/** What is built outside of the checkout, once for the sources it is built from. */
export interface Tool {
  readonly name: string;
  /** A folder of test/clients: names the versions, and has the sources of programs that are ours. */
  readonly sources: string;
  /** The command that prints the version of the compiler or interpreter: another version builds anew. */
  readonly version: readonly string[];
  /** Run one after the other in a copy of the sources. */
  readonly build: readonly (readonly string[])[];
}

/** Where the tool is, or why this machine cannot have it. */
export type BuiltTool = { readonly folder: string } | { readonly missing: string };

/** What package managers say where a program or the registry is out of reach: no fault of ours, the suites are skipped. */
const unavailable =
  /ENOENT|requires go >=|toolchain not available|module lookup disabled|dial tcp|i\/o timeout|TLS handshake|unexpected EOF|\b(40[1347]|410|429|5\d\d) [A-Z]|unrecognized import path|unable to access|No matching distribution|Could not (transfer|resolve|find) |Unknown host|ensurepip is not available|Non-resolvable/;

/** Builds a tool, or finds it where an earlier run left it. */
export async function buildTool({ name, sources, version, build }: Tool): Promise<BuiltTool> {
  try {
    const folder = path.join(cacheFolder(), `${name}-${keyOf(sources, await run(version, sources))}`);
    if (!existsSync(folder)) {
      const began = clock.now();
      await buildInto(folder, sources, build);
      process.stdout.write(`${name}: built in ${((clock.now() - began) / 1000).toFixed(1)} s\n`);
    }
    return { folder };
  } catch (error) {
    if (!(error instanceof Error) || !unavailable.test(error.message)) throw error;
    return { missing: `skipped: no ${name} here: ${error.message.trim().split("\n").at(-1)}` };
  }
}

/** Builds beside the folder and renames, so that an interrupted or simultaneous build leaves nothing half done. */
async function buildInto(folder: string, sources: string, build: Tool["build"]): Promise<void> {
  mkdirSync(path.dirname(folder), { recursive: true });
  const workplace = mkdtempSync(`${folder}.building-`);
  try {
    cpSync(sources, workplace, { recursive: true });
    for (const command of build) await run(command, workplace);
    if (!existsSync(folder)) renameSync(workplace, folder);
  } finally {
    rmSync(workplace, { recursive: true, force: true });
  }
}

/** Runs a command with low priority: a build must not starve the suites that run beside it. */
async function run([program = "", ...words]: readonly string[], cwd: string): Promise<string> {
  const { stdout } = await execute("nice", [program, ...words], { cwd, maxBuffer: 2 ** 26 }).catch(
    (error: Error & { readonly stdout?: string; readonly code?: unknown }) => {
      // nice says so by this code where a shell would.
      if (error.code === 127) throw new Error(`ENOENT: there is no ${program}`, { cause: error });
      throw new Error(`${error.message}\n${error.stdout ?? ""}`, { cause: error });
    },
  );
  return stdout;
}

const cacheFolder = () =>
  path.join(process.env["XDG_CACHE_HOME"] ?? path.join(homedir(), ".cache"), "trimtab", "clients");

function keyOf(sources: string, version: string): string {
  const hash = createHash("sha256").update(version);
  const files = readdirSync(sources, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  );
  for (const file of files.map((entry) => path.join(entry.parentPath, entry.name)).toSorted())
    hash.update(`\0${path.relative(sources, file)}\0`).update(readFileSync(file));
  return hash.digest("hex").slice(0, 16);
}
