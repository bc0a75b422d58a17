import { execFile, spawn } from "node:child_process";
import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, onTestFinished, test, type TestContext } from "vitest";
import { parse, stringify } from "yaml";
import { kubeconfigText } from "../../src/cluster/write-kubeconfig.ts";
import { type EmbeddedCluster, startEmbedded } from "../embedded-cluster.ts";

const run = promisify(execFile);
const repository = fileURLToPath(new URL("../..", import.meta.url));
const dockerfile = readFileSync(path.join(repository, "Dockerfile"), "utf8");

// No container can be built here. This does what the Dockerfile does, by its own words, without the container: packs,
// installs, and runs as its user, who may write neither into the package nor elsewhere.
const [, user = "", group = ""] = /^USER (\d+):(\d+)$/m.exec(dockerfile) ?? [];
const [, installWords = ""] = /^RUN npm install (.*) \/packed\/\*\.tgz$/m.exec(dockerfile) ?? [];
const [, entrypoint = ""] = /^ENTRYPOINT \["(.*)"\]$/m.exec(dockerfile) ?? [];
const prefix = "/opt/trimtab";

let folder: string;
let cluster: EmbeddedCluster;
beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), "trimtab-image-"));
  chmodSync(folder, 0o755);
  const source = path.join(folder, "source");
  mkdirSync(source);
  // Beside the checkout: other suites build there.
  const dist = path.join(source, "dist");
  const compiler = path.join(repository, "node_modules/.bin/tsc");
  await run(compiler, ["-p", "tsconfig.build.json", "--outDir", dist], { cwd: repository });
  const bundler = path.join(repository, "scripts/bundle-program.mjs");
  await run(process.execPath, [bundler, path.join(dist, "cli")], { cwd: repository });
  for (const name of ["package.json", "README.md", "LICENSE", "CHANGELOG.md", "contract", "deploy"])
    cpSync(path.join(repository, name), path.join(source, name), { recursive: true });
  await run("npm", ["pack", "--ignore-scripts", "--pack-destination", folder], { cwd: source });
  const tarball = readdirSync(folder).find((name) => name.endsWith(".tgz")) ?? "";
  const words = installWords.replace(prefix, path.join(folder, "opt")).split(" ");
  await run("npm", ["install", ...words, "--prefer-offline", path.join(folder, tarball)], { cwd: folder });
  await run("chmod", ["-R", "a-w,a+rX", path.join(folder, "opt")]);
  cluster = await startEmbedded();
  writeFileSync(path.join(folder, "kubeconfig"), kubeconfigText(cluster.access), { mode: 0o644 });
}, 600_000);
afterAll(async () => {
  await cluster.stop();
  await run("chmod", ["-R", "u+w", folder]);
  rmSync(folder, { recursive: true, force: true });
});

/** Starts the entry point as the user of the image, with none of our environment. */
function start({ skip }: TestContext, ...words: readonly string[]) {
  if (process.getuid?.() !== 0) skip("skipped: only root can run a program as another user");
  const program = entrypoint.replace(prefix, path.join(folder, "opt"));
  const env = { PATH: path.dirname(process.execPath), NODE_ENV: "production" };
  const child = spawn(program, words, { cwd: "/", uid: Number(user), gid: Number(group), env });
  onTestFinished(() => void child.kill("SIGKILL"));
  let printed = "";
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (text: string) => (printed += text));
  const ended = new Promise<{ code: number | null; printed: string }>((resolve, reject) => {
    child.once("error", reject); // there is no such program
    child.once("close", (code) => resolve({ code, printed }));
  });
  return {
    ended,
    interrupt: () => child.kill("SIGTERM"),
    says: (wanted: string) =>
      new Promise<void>((resolve, reject) => {
        child.stdout.on("data", () => printed.includes(wanted) && resolve());
        ended.then(({ code }) => reject(new Error(`it ended with ${code}: ${printed}`)), reject);
      }),
  };
}

test("the image runs as nobody in particular", () => {
  expect(Number(user)).toBeGreaterThan(1000);
  expect(entrypoint.startsWith(`${prefix}/bin/`)).toBe(true);
  expect(installWords).toContain(`--global --prefix ${prefix} --omit=dev`);
});

test("the package prints its version and its manifests", async (context) => {
  expect(await start(context, "version").ended).toMatchObject({ code: 0 });
  const { code, printed } = await start(context, "install", "--print", "--image=trimtab").ended;
  expect(code).toBe(0);
  expect(printed).toContain("kind: Deployment");
});

test("the package is without its optional peer, and names it to a user who needs it", async (context) => {
  const config = { "client-id": "me", "refresh-token": "r", "idp-issuer-url": "https://127.0.0.1:2" };
  const oidc = parse(kubeconfigText(cluster.access));
  oidc.users = [{ ...oidc.users[0], user: { "auth-provider": { name: "oidc", config } } }];
  const kubeconfig = path.join(folder, "oidc");
  writeFileSync(kubeconfig, stringify(oidc), { mode: 0o644 });
  const { code, printed } = await start(context, "controllers", `--kubeconfig=${kubeconfig}`).ended;
  expect(code).toBe(1);
  expect(printed).toContain("needs the package openid-client, which is not installed");
});

test.for([
  { program: "controllers", flags: [], says: "trimtab runs the workload controllers of" },
  { program: "steer", flags: ["--config=CONFIG"], says: "trimtab steers the workloads of" },
  { program: "scheduler", flags: [], says: "trimtab schedules the Pods of" },
])(
  "trimtab $program starts and ends on a tree it cannot write to",
  async ({ program, flags, says }, context) => {
    const config = path.join(folder, "steering.yaml");
    writeFileSync(
      config,
      [
        "apiVersion: trimtab.dev/v1alpha1",
        "kind: SteeringConfiguration",
        "namespace: default",
        "webhook: { url: https://127.0.0.1:9443, port: 0 }",
      ].join("\n"),
    );
    const running = start(
      context,
      program,
      ...flags.map((flag) => flag.replace("CONFIG", config)),
      `--kubeconfig=${path.join(folder, "kubeconfig")}`,
      "--port=0",
    );
    await running.says(says);
    running.interrupt();
    expect(await running.ended).toMatchObject({ code: 0 });
  },
);
