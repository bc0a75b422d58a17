import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import path from "node:path";
import { promisify } from "node:util";
import { packageFolder } from "../../src/cli/installed-package.ts";
import { type BuiltTool, buildTool } from "../clients/tool-cache.ts";

const sources = path.join(packageFolder(), "test/operators/go");
const version = ["go", "version"];
const controllerRuntime = "sigs.k8s.io/controller-runtime";

/** A compiled test binary, and the folder in which `go test` would run it. */
export interface Suite {
  readonly name: string;
  readonly program: string;
  readonly folder: string;
}

export type BuiltSuites = { readonly suites: readonly Suite[] } | { readonly missing: string };

const fileOf = (name: string) => `${name.replaceAll("/", "-")}.test`;

/** Compiles our own suite, which is written as users of envtest write theirs. */
export async function buildOwnSuite(): Promise<BuiltSuites> {
  const built = await buildGo("envtest-suite", [["thin", "./thin"]]);
  if ("missing" in built) return built;
  const name = "thin";
  return { suites: [{ name, program: path.join(built.folder, fileOf(name)), folder: built.folder }] };
}

/** Compiles the program that starts and stops the environment of a suite; `missing` says why it cannot be had. */
export async function buildSession(): Promise<{ readonly program: string } | { readonly missing: string }> {
  const name = "session";
  const build = [["go", "build", "-p", "1", "-o", `${name}.program`, `./${name}`]];
  const built = await buildTool({ name: "envtest-session", sources, version, build });
  return "missing" in built ? built : { program: path.join(built.folder, `${name}.program`) };
}

/** Compiles suites of controller-runtime, as they are in its module. */
export async function buildControllerRuntimeSuites(packages: readonly string[]): Promise<BuiltSuites> {
  const named = packages.map((name) => [name, `${controllerRuntime}/pkg/${name}`] as const);
  const built = await buildGo(`controller-runtime-${hashOf(packages)}`, named);
  if ("missing" in built) return built;
  const module = await moduleFolder(built.folder);
  const suites = packages.map((name) => ({
    name,
    program: path.join(built.folder, fileOf(name)),
    folder: path.join(module, "pkg", name),
  }));
  return { suites };
}

/** Another selection is another tool. */
function hashOf(packages: readonly string[]): string {
  return createHash("sha256").update(packages.join(" ")).digest("hex").slice(0, 8);
}

function buildGo(name: string, packages: readonly (readonly [string, string])[]): Promise<BuiltTool> {
  return buildTool({
    name,
    sources,
    version,
    build: packages.map(([suite, path]) => ["go", "test", "-c", "-p", "1", "-o", fileOf(suite), path]),
  });
}

/** Where the module of controller-runtime is, whose tests read files beside them. */
async function moduleFolder(cwd: string): Promise<string> {
  const { stdout } = await promisify(execFile)("go", ["list", "-m", "-f", "{{.Dir}}", controllerRuntime], {
    cwd,
  });
  return stdout.trim();
}
