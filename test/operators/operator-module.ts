import { execFile } from "node:child_process";
import path from "node:path";
import { promisify } from "node:util";
import { parseAllDocuments } from "yaml";
import { packageFolder } from "../../src/cli/installed-package.ts";
import { buildTool } from "../clients/tool-cache.ts";
import type { Kubectl } from "../kubectl/kubectls.ts";

/** An operator that others publish as a Go module; the folder of its name below `modules/` pins the version. */
export interface OperatorModule {
  readonly name: string;
  readonly module: string;
  /** What is built. */
  readonly program: string;
  /** The folder of the module whose kustomization installs it. */
  readonly manifests: string;
}

/** An operator, ready to be installed. */
export interface BuiltOperator {
  readonly program: string;
  readonly version: string;
  /** What `kubectl apply -k` would install. */
  readonly manifests: readonly Manifest[];
}

/** An object as a manifest has it. */
export interface Manifest {
  readonly kind: string;
  readonly apiVersion: string;
  readonly metadata: { readonly name: string; readonly namespace?: string };
}

const execute = promisify(execFile);

/** Builds an operator, or finds it where an earlier run left it; `missing` says why it cannot be had. */
export async function buildOperator(
  { name, module, program, manifests }: OperatorModule,
  kubectl: Kubectl,
): Promise<BuiltOperator | { readonly missing: string }> {
  const sources = path.join(packageFolder(), "test/operators/modules", name);
  const version = ["go", "version"];
  const build = [["go", "build", "-p", "1", "-o", "program", program]];
  const built = await buildTool({ name, sources, version, build });
  if ("missing" in built) return built;
  const found = await moduleIn(built.folder, module);
  return {
    program: path.join(built.folder, "program"),
    version: found.version,
    manifests: await rendered(kubectl, path.join(found.folder, manifests)),
  };
}

/** Where a module is, which `go` downloads again if its cache was emptied. */
async function moduleIn(cwd: string, module: string) {
  const { stdout } = await execute("go", ["mod", "download", "-json", module], { cwd });
  const { Dir, Version } = JSON.parse(stdout) as { readonly Dir: string; readonly Version: string };
  return { folder: Dir, version: Version };
}

async function rendered({ program }: Kubectl, folder: string): Promise<readonly Manifest[]> {
  const { stdout } = await execute(program, ["kustomize", folder], { maxBuffer: 2 ** 26 });
  return parseAllDocuments(stdout).map((document) => document.toJS() as Manifest);
}
