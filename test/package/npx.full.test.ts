import { execFile, spawn } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { homedir, tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { installingLines } from "../docs/installing.ts";
import { codeBlocks, readPage } from "../docs/markdown.ts";
import { newestKubectl } from "../kubectl/kubectls.ts";

const run = promisify(execFile);
const repository = fileURLToPath(new URL("../..", import.meta.url));

let folder: string;
beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), "trimtab-package-"));
  await run("npm", ["run", "build"], { cwd: repository });
  await run("npm", ["pack", "--ignore-scripts", "--pack-destination", folder], { cwd: repository });
  writeFileSync(path.join(folder, "package.json"), '{"private":true}\n');
  const tarball = readdirSync(folder).find((name) => name.endsWith(".tgz"));
  await run("npm", ["install", "--prefer-offline", "--no-audit", "--no-fund", `./${tarball}`], {
    cwd: folder,
  });
}, 600_000);
afterAll(() => rmSync(folder, { recursive: true, force: true }), 120_000); // thousands of files

/** Runs a program in that folder, in a terminal of its own that is closed after the test. */
function type(program: string, ...words: readonly string[]) {
  const child = spawn(program, words, { cwd: folder, detached: true });
  const group = -(child.pid ?? 0);
  const ended = new Promise<number | null>((resolve) => child.once("close", resolve));
  onTestFinished(() => void (child.exitCode ?? child.signalCode ?? process.kill(group, "SIGKILL")));
  let printed = "";
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (text: string) => (printed += text));
  return {
    ended,
    printed: () => printed,
    /** Resolves when it has printed this. */
    says: (wanted: string) =>
      new Promise<void>((resolve, reject) => {
        child.stdout.on("data", () => printed.includes(wanted) && resolve());
        child.once("close", () => reject(new Error(`it ended without ${wanted}: ${printed}`)));
      }),
    /** Ctrl-C: everyone in the terminal hears it. */
    interrupt: () => process.kill(group, "SIGINT"),
    terminate: () => process.kill(group, "SIGTERM"),
  };
}

test("the package is small: few packages, none of which runs a script, in 25 MB", async () => {
  const modules = path.join(folder, "node_modules");
  const lock = JSON.parse(readFileSync(path.join(modules, ".package-lock.json"), "utf8")) as {
    readonly packages: Readonly<Record<string, { readonly hasInstallScript?: boolean }>>;
  };
  const installed = Object.entries(lock.packages);
  expect(installed.length).toBeLessThanOrEqual(20);
  expect(installed.filter(([, { hasInstallScript }]) => hasInstallScript === true)).toEqual([]);
  const { stdout } = await run("du", ["-sk", modules]);
  expect(Number.parseInt(stdout, 10)).toBeLessThan(25 * 1000);
});

test("what a package that is not installed is needed for says so, and all else works", async () => {
  const up = type("node_modules/.bin/trimtab", "up", "--port=0", "--data-dir=data");
  expect(await up.ended).toBe(1);
  expect(up.printed()).toContain(
    "a data directory needs the package lmdb, which is not installed: npm install lmdb",
  );
  const program = `
    import { createPicker } from "trimtab/picker";
    const host = "127.0.0.1";
    const picker = createPicker({ score: () => 0 });
    console.log(Object.keys(await picker.listen({ port: 0, host })).join());
    await picker.stop();
    await createPicker({ score: () => 0 }).listen({ grpcPort: 0, host }).catch((error) => console.log(error.message));`;
  const { stdout } = await run(process.execPath, ["--input-type=module", "-e", program], { cwd: folder });
  expect(stdout).toContain("url\n");
  expect(stdout).toContain(
    "serving a picker over gRPC needs the package @grpc/grpc-js, which is not installed: npm install @grpc/grpc-js",
  );
});

test("what trimtab init writes works: the steps of its workflow, and its picker, which passes the check", async () => {
  const started = path.join(folder, "started");
  const bin = path.join(folder, "node_modules/.bin/trimtab");
  expect(await type(bin, "init", started).ended).toBe(0);
  const workflow = readFileSync(path.join(started, ".github/workflows/scenarios.yaml"), "utf8");
  const steps = [...workflow.matchAll(/- run: (npx .*)$/gm)].map(([, line = ""]) => line);
  expect(steps).toHaveLength(1);
  for (const step of steps)
    await run("sh", ["-c", step.replace("--seeds 20", "--seeds 2")], { cwd: started });
  writeFileSync(path.join(started, "token"), "sesame\n");
  const picker = type("env", "PICKER_TOKEN=sesame", "PORT=0", process.execPath, "started/picker.mjs");
  await picker.says("the picker is at http://");
  const [, url = ""] = /the picker is at (\S+)/.exec(picker.printed()) ?? [];
  const token = `--token-file=${path.join(started, "token")}`;
  const checked = type(bin, "picker", "check", url, "--timeout=30s", token);
  expect({ code: await checked.ended, printed: checked.printed() }).toMatchObject({ code: 0 });
  picker.terminate();
  expect(await picker.ended).toBe(0);
});

test(
  "a release is done up to its first push, and the package works on Node 20, 22 and 24",
  { timeout: 600_000 },
  async () => {
    const tarball = readdirSync(folder).find((name) => name.endsWith(".tgz")) ?? "";
    const words = ["--tarball", path.join(folder, tarball), "--nodes", "20,22,24"];
    const script = path.join(repository, "scripts/release/dry-run.mjs");
    const { stdout } = await run(process.execPath, [script, ...words], { cwd: repository });
    const states = stdout
      .trim()
      .split("\n")
      .map((line) => line.slice(0, 6).trim());
    expect(states.filter((state) => state !== "ok" && state !== "skip")).toEqual([]);
    expect(stdout).toMatch(/^ok {4}versions: /m);
    expect(stdout).toMatch(/^ok {4}workflows: ci\.yaml, pages\.yml, release\.yaml/m);
    expect(stdout).toMatch(/^ok {4}package: /m);
    expect(stdout).toMatch(/^ok {4}documentation: /m);
    expect(stdout).toMatch(/^(?:ok {4}single file: |skip {2}single file: npx cannot fetch)/m);
    expect(stdout).toMatch(/^skip {2}push to npm/m);
  },
);

test("npx trimtab up starts a cluster out of nothing, and Ctrl-C ends it", async () => {
  const kubeconfig = path.join(folder, "kubeconfig");
  const up = type("npx", "--no-install", "trimtab", "up", "--port=0", `--kubeconfig=${kubeconfig}`);
  await up.says("trimtab is ready: 12 nodes in 3 zones");
  for (const { program } of newestKubectl()) {
    const env = { ...process.env, HOME: folder, KUBECONFIG: kubeconfig };
    const { stdout } = await run(program, ["get", "nodes", "-o", "name"], { env });
    expect(stdout.trim().split("\n")).toHaveLength(12);
  }
  up.interrupt();
  await up.ended; // with whatever code npx makes of an interruption
  expect(up.printed()).toContain("trimtab: stopping");
  expect(existsSync(kubeconfig)).toBe(false);
});

test("trimtab itself calls an interruption a good end", async () => {
  const kubeconfig = path.join(folder, "kubeconfig");
  const up = type("node_modules/.bin/trimtab", "up", "--port=0", `--kubeconfig=${kubeconfig}`);
  await up.says("Ctrl-C ends it.");
  expect(existsSync(kubeconfig)).toBe(true);
  up.interrupt();
  expect(await up.ended).toBe(0);
  expect(existsSync(kubeconfig)).toBe(false);
});

test.skipIf(newestKubectl().length === 0)(
  "kubectl trimtab explains, and kubectl completes it with the objects of the cluster",
  async () => {
    const kubeconfig = path.join(folder, "kubeconfig");
    const up = type("node_modules/.bin/trimtab", "up", "--port=0", `--kubeconfig=${kubeconfig}`);
    await up.says("Ctrl-C ends it.");
    const folders = `${path.join(folder, "node_modules/.bin")}:${process.env["PATH"] ?? ""}`;
    const env = { ...process.env, HOME: folder, KUBECONFIG: kubeconfig, PATH: folders };
    for (const { program } of newestKubectl()) {
      const kubectl = async (...words: readonly string[]) => (await run(program, words, { env })).stdout;
      await kubectl("create", "deployment", "web", "--image=registry.example/app:1", "--replicas=2");
      await kubectl("wait", "deployment/web", "--for=condition=Available", "--timeout=60s");
      expect(await kubectl("trimtab", "explain", "scale-down", "deploy/web", "--replicas=1")).toMatch(
        /^Deployment default\/web: 2 → 1 replica. 1 of 2 Pods goes.\n/,
      );
      expect(await kubectl("__complete", "trimtab", "explain", "rollout", "dep")).toBe(
        "deployment/web\n:4\n",
      );
      expect(await kubectl("__complete", "trimtab", "explain", "rollout", "deploy/")).toBe(
        "deploy/web\n:4\n",
      );
    }
    up.interrupt();
    await up.ended;
  },
  60_000,
);

test("the page is in the package", async () => {
  const kubeconfig = path.join(folder, "kubeconfig");
  const up = type("node_modules/.bin/trimtab", "up", "--port=0", `--kubeconfig=${kubeconfig}`);
  await up.says("Ctrl-C ends it.");
  const [link = ""] = /http:\/\/127\S+/.exec(up.printed()) ?? [];
  const opened = await fetch(link);
  const headers = { cookie: opened.headers.get("set-cookie")?.split(";")[0] ?? "" };
  const index = await (await fetch(new URL("/", link), { headers })).text();
  const files = [...index.matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)].map(([, file = ""]) => file);
  expect(files.map((file) => path.extname(file)).toSorted()).toEqual([".css", ".js"]);
  for (const file of files) expect((await fetch(new URL(file, link), { headers })).status).toBe(200);
  up.interrupt();
  expect(await up.ended).toBe(0);
});

test("the package carries its guides: every link of its README leads to a file in it", () => {
  const carried = path.join(folder, "node_modules/trimtab");
  const links = [
    ...readFileSync(path.join(carried, "README.md"), "utf8").matchAll(/\]\(([^()\s#:]+)(?:#[^()]*)?\)/g),
  ];
  expect(links.length).toBeGreaterThan(30);
  expect(links.map(([, link = ""]) => link).filter((link) => !existsSync(path.join(carried, link)))).toEqual(
    [],
  );
});

test("the playground is in the package", async () => {
  const playground = type("node_modules/.bin/trimtab", "playground", "--port=0");
  await playground.says("http://127.0.0.1:");
  const [address = ""] = /http:\/\/127\S+/.exec(playground.printed()) ?? [];
  const index = await (await fetch(address)).text();
  const files = [...index.matchAll(/(?:src|href)="(\.\/assets\/[^"]+)"/g)].map(([, file = ""]) => file);
  expect(files.map((file) => path.extname(file)).toSorted()).toEqual([".css", ".js"]);
  for (const file of files) expect((await fetch(new URL(file, address))).status).toBe(200);
  playground.interrupt();
  expect(await playground.ended).toBe(0);
});

test(
  "every documented line that installs the package, or calls it, works in an empty folder",
  { timeout: 600_000 },
  async () => {
    const empty = mkdtempSync(path.join(tmpdir(), "trimtab-documented-"));
    onTestFinished(() => rmSync(empty, { recursive: true, force: true }));
    const tarball = readdirSync(folder).find((name) => name.endsWith(".tgz")) ?? "";
    cpSync(path.join(folder, tarball), path.join(empty, tarball));
    const scenario = codeBlocks(readPage("docs/scenarios.md")).find(({ language }) => language === "yaml");
    mkdirSync(path.join(empty, "scenarios"));
    writeFileSync(path.join(empty, "scenarios/web.yaml"), scenario?.text ?? "");
    const globally = path.join(empty, "global");
    const env = {
      ...process.env,
      HOME: empty,
      npm_config_prefix: globally,
      npm_config_cache: process.env["npm_config_cache"] ?? path.join(homedir(), ".npm"),
      npm_config_prefer_offline: "true",
      PATH: [path.join(globally, "bin"), process.env["PATH"]].join(path.delimiter),
    };
    const lines = [...new Set(installingLines.map(({ line }) => line)), "trimtab version"];
    expect(lines.length).toBeGreaterThan(4);
    const failed: string[] = [];
    for (const line of lines)
      await run("sh", ["-c", line], { cwd: empty, env }).catch((error: unknown) =>
        failed.push(`${line}: ${String(error)}`),
      );
    expect(failed).toEqual([]);
  },
);

test("npx trimtab version and --help work as well", async () => {
  const version = type("npx", "--no-install", "trimtab", "version");
  expect(await version.ended).toBe(0);
  expect(version.printed()).toMatch(/trimtab \d+\.\d+\.\d+/);
  const help = type("npx", "--no-install", "trimtab", "--help");
  expect(await help.ended).toBe(0);
  expect(help.printed()).toContain("Usage: trimtab COMMAND");
});

test("trimtab is bundled, and finds what it reads beside the bundle: threads, manifests", async () => {
  const program = readdirSync(path.join(folder, "node_modules/trimtab/dist/cli"), { recursive: true });
  expect(program).toEqual(expect.arrayContaining(["main.js", "complete-plugin.js", "cluster.js"]));
  // By the names in the sources, which a file of a later build finds as well.
  const main = readFileSync(path.join(folder, "node_modules/trimtab/dist/cli/main.js"), "utf8");
  expect(main).toMatch(/import\{commandsFor\} ?from"\.\/commands\.js"/);
  const scenario = path.join(repository, "examples/airflow-workers/scenario.yaml");
  const simulate = type(
    "node_modules/.bin/trimtab",
    "simulate",
    scenario,
    "--seeds=2",
    "-o=json",
    "--report=report.html",
  );
  expect({ code: await simulate.ended, printed: simulate.printed() }).toMatchObject({ code: 0 });
  expect(readFileSync(path.join(folder, "report.html"), "utf8")).toMatch(/^<!doctype html>/i);
  const install = type(
    "node_modules/.bin/trimtab",
    "install",
    "--print",
    "--image=registry.example/trimtab:1",
  );
  expect({ code: await install.ended, printed: install.printed() }).toMatchObject({ code: 0 });
  expect(install.printed()).toContain("image: registry.example/trimtab:1");
});

test("what the package promises can be imported", async () => {
  const manifest = readFileSync(path.join(folder, "node_modules/trimtab/package.json"), "utf8");
  const { exports } = JSON.parse(manifest) as { readonly exports: Readonly<Record<string, unknown>> };
  const modules = Object.keys(exports)
    .filter((name) => name !== "./package.json")
    .map((name) => path.posix.join("trimtab", name));
  const program = modules
    .map((name) => `console.log(Object.keys(await import("${name}")).length > 0)`)
    .join(";");
  const { stdout } = await run(process.execPath, ["--input-type=module", "-e", program], { cwd: folder });
  expect(stdout.trim().split("\n")).toEqual(modules.map(() => "true"));
});

test.for(["simulation.md", "scenarios.md"])("the program in docs/%s prints what it says", async (name) => {
  const page = readFileSync(path.join(repository, "docs", name), "utf8");
  const [, program = "", printed] =
    /^```js\n(.*?)^```$\n\nIt prints:\n\n^```text\n(.*?)^```$/ms.exec(page) ?? [];
  // The scenario at the top of docs/scenarios.md.
  const [, scenario = ""] = /^```yaml\n(.*?)^```$/ms.exec(page) ?? [];
  writeFileSync(path.join(folder, "scenario.yaml"), scenario);
  writeFileSync(path.join(folder, "program.mjs"), program);
  const { stdout } = await run(process.execPath, ["program.mjs"], { cwd: folder });
  expect(stdout).toBe(printed);
});

test("the ten lines of README.md are a picker that passes the check, over gRPC beside its package, and SIGTERM ends it", async () => {
  await run("npm", ["install", "--prefer-offline", "--no-audit", "--no-fund", "@grpc/grpc-js"], {
    cwd: folder,
  });
  const blockOf = (file: string) =>
    /^```js\n(import \{ createPicker \}.*?)^```$/ms.exec(
      readFileSync(path.join(repository, file), "utf8"),
    )?.[1] ?? "";
  const program = blockOf("README.md");
  expect(program).toBe(blockOf("docs/picker-kit.md"));
  expect(program.split("\n").filter((line) => line !== "")).toHaveLength(9);
  writeFileSync(
    path.join(folder, "picker.mjs"),
    program.replace("{ port: 8080 }", '{ port: 0, host: "127.0.0.1" }'),
  );
  writeFileSync(path.join(folder, "token"), "sesame\n");
  const picker = type("env", "PICKER_TOKEN=sesame", process.execPath, "picker.mjs");
  await picker.says("the picker is at http://");
  const [, url = ""] = /the picker is at (\S+)/.exec(picker.printed()) ?? [];
  const check = ["--timeout=30s", "--strict", `--token-file=${path.join(folder, "token")}`];
  for (const each of [url, url.replace("http", "grpc").replace(/\/$/, "")]) {
    const checked = type("node_modules/.bin/trimtab", "picker", "check", each, ...check);
    expect({ code: await checked.ended, printed: checked.printed() }).toMatchObject({ code: 0 });
  }
  picker.terminate();
  expect(await picker.ended).toBe(0);
});

test.for(["own-controller", "scheduler-plugin", "test-an-operator"])(
  "the program in examples/%s prints what its README says, in a clone",
  async (name) => {
    const program = `examples/${name}/main.mjs`;
    const [, printed] = /^```text\n(.*?)^```$/ms.exec(readPage(`examples/${name}/README.md`)) ?? [];
    expect(readPage(`examples/${name}/README.md`)).toContain(`\nnode ${program}\n`);
    const { stdout } = await run(process.execPath, [program], { cwd: repository });
    expect(stdout).toBe(printed);
  },
);

test.for(["own-controller", "scheduler-plugin"])(
  "the program in examples/%s prints the same beside an installed package",
  async (name) => {
    const example = path.join(repository, "examples", name);
    cpSync(example, path.join(folder, name), { recursive: true });
    const page = readFileSync(path.join(example, "README.md"), "utf8");
    const [, printed] = /^```text\n(.*?)^```$/ms.exec(page) ?? [];
    const { stdout } = await run(process.execPath, [`${name}/main.mjs`], { cwd: folder });
    expect(stdout).toBe(printed);
  },
);
