import { execFile } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, realpathSync, rmdirSync } from "node:fs";
import path from "node:path";
import { beforeEach, expect, onTestFinished, test } from "vitest";
import { compiled, temporaryFolder } from "../durable/compiled.ts";
import { newestKubectl } from "../kubectl/kubectls.ts";

const program = compiled("src/cli/main.ts");

let home: string;
beforeEach(() => {
  home = realpathSync(temporaryFolder());
});

interface Ended {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** Runs a program in a home of its own, where nothing else is known. */
function run(
  file: string,
  words: readonly string[],
  { cwd = home, ...env }: { readonly cwd?: string } & NodeJS.ProcessEnv = {},
): Promise<Ended> {
  const { PATH } = process.env;
  const options = { cwd, env: { PATH, HOME: home, XDG_STATE_HOME: path.join(home, "state"), ...env } };
  return new Promise((resolve) => {
    execFile(file, words, options, (error, out, err) => {
      const code = error === null ? 0 : typeof error.code === "number" ? error.code : 1;
      resolve({ code, out, err });
    });
  });
}

const trimtab = (...words: readonly string[]) => run(process.execPath, [program, ...words]);

/** Starts a cluster in the background and stops it after the test. */
async function start(name: string, ...words: readonly string[]): Promise<Ended> {
  onTestFinished(async () => void (await trimtab("stop", name)));
  return trimtab("up", "--name", name, "--detach", ...words);
}

async function listed(): Promise<
  readonly { readonly name: string; readonly state: string; readonly pid: number }[]
> {
  return JSON.parse((await trimtab("list", "--json")).out);
}

const clusterFolder = (name: string) => path.join(home, "state", "trimtab", "clusters", name);

test("a cluster in the background is used with kubectl, lets 30 seconds pass at once, and leaves nothing", async ({
  skip,
}) => {
  const [kubectl] = newestKubectl();
  if (kubectl === undefined) return skip("there is no kubectl");
  const started = await start("a", "--nodes=2");
  expect(started).toMatchObject({ code: 0, err: "" });
  expect(started.out).toContain("trimtab stop a ends it.");
  const kubeconfig = path.join(clusterFolder("a"), "kubeconfig");
  const ask = async (words: string) => {
    const { code, out, err } = await run(kubectl.program, words.split(" "), { KUBECONFIG: kubeconfig });
    if (code !== 0) throw new Error(err);
    return out;
  };
  await ask("run web --image=nginx --annotations=sim.trimtab.dev/ignoreSIGTERM=true");
  await ask("wait pod/web --for=condition=Ready");
  expect((await trimtab("time", "pause")).out).toMatch(/paused/);
  await ask("delete pod web --wait=false");
  await trimtab("time", "step", "29s");
  expect(await ask("get pod web --no-headers")).toMatch(/^web +1\/1 +Terminating +0 +(29|[3-9]\d|1[01]\d)s/);
  await trimtab("time", "step", "2s");
  expect(await ask("get pods --ignore-not-found")).toBe("");

  expect(await trimtab("stop", "a")).toMatchObject({ code: 0, out: "trimtab: the cluster a has stopped\n" });
  expect(await listed()).toEqual([]);
  expect(readdirSync(path.dirname(clusterFolder("a")))).toEqual([]);
});

test("clusters run beside each other, and a name is used once", async () => {
  await Promise.all([start("a", "--nodes=0"), start("b", "--nodes=0")]);
  expect((await listed()).map(({ name, state }) => `${name} ${state}`)).toEqual(["a running", "b running"]);
  const second = await trimtab("up", "--name", "a", "--detach");
  expect(second).toMatchObject({ code: 1, out: "" });
  expect(second.err).toMatch(/^trimtab up: cannot start the cluster a: process \d+ runs it already\n$/);
});

test("of two that start in the same instant under one name, one is ready and the other says why not", async () => {
  const [one, other] = await Promise.all([start("a", "--nodes=0"), start("a", "--nodes=0")]);
  expect(new Set([one.code, other.code])).toEqual(new Set([0, 1]));
  expect(one.err + other.err).toMatch(
    /^trimtab up: cannot start the cluster a: process \d+ runs it already\n$/,
  );
  expect((await listed()).map(({ name, state }) => `${name} ${state}`)).toEqual(["a running"]);
});

test("a cluster whose folder is gone is not reset, and runs on", async () => {
  const gone = path.join(home, "gone");
  mkdirSync(gone);
  onTestFinished(async () => void (await trimtab("stop", "a")));
  await run(process.execPath, [program, "up", "--name=a", "--detach", "--nodes=0"], { cwd: gone });
  rmdirSync(gone);
  expect(await trimtab("reset", "a")).toMatchObject({
    code: 1,
    err: `trimtab reset: the cluster a was started in ${gone}, which is gone: it could not be started again\n`,
  });
  expect((await listed()).map(({ state }) => state)).toEqual(["running"]);
});

test("a cluster that was killed is known to have ended, and its name can be used again", async () => {
  await start("a", "--nodes=0");
  for (const { pid } of await listed()) process.kill(pid, "SIGKILL");
  await expect.poll(async () => (await listed())[0]?.state, { timeout: 60_000 }).toBe("ended");
  expect(await trimtab("status", "a")).toMatchObject({ code: 1 });
  expect(await start("a", "--nodes=0")).toMatchObject({ code: 0 });
});

test("two clusters do not share a data directory, and a reset one has lost its objects but not its clients", async ({
  skip,
}) => {
  const [kubectl] = newestKubectl();
  if (kubectl === undefined) return skip("there is no kubectl");
  await start("a", "--nodes=0", "--data-dir=data", "--");
  const refused = await start("b", "--nodes=0", "--data-dir=data");
  expect(refused.code).toBe(1);
  expect(refused.err).toMatch(/^trimtab up: cannot use the data directory .*: process \d+ has it open\n$/);
  expect(existsSync(clusterFolder("b"))).toBe(false);

  const KUBECONFIG = path.join(clusterFolder("a"), "kubeconfig");
  const names = async () =>
    (await run(kubectl.program, ["get", "configmaps", "-o", "name"], { KUBECONFIG })).out;
  await run(kubectl.program, ["create", "configmap", "mine"], { KUBECONFIG });
  expect(await names()).toContain("configmap/mine");
  expect(await trimtab("reset", "a")).toMatchObject({ code: 0, err: "" });
  expect(await names()).not.toContain("configmap/mine");
});

test("a cluster that cannot start says why, in the terminal where it was started", async () => {
  const failed = await start("a", "missing.yaml");
  expect(failed).toEqual({ code: 1, out: "", err: "trimtab up: missing.yaml: no such file\n" });
  expect(await listed()).toEqual([]);
});

test("a cluster that was started without a name is listed, shown and stopped as trimtab", async () => {
  const running = trimtab("up", "--port=0", "--nodes=1", "--no-page");
  await expect
    .poll(async () => (await listed()).map(({ name, state }) => `${name} ${state}`), { timeout: 30_000 })
    .toEqual(["trimtab running"]);
  expect(await trimtab("status")).toMatchObject({ code: 0, out: expect.stringContaining("Kubeconfig:") });
  expect(await trimtab("time")).toMatchObject({ code: 0 });
  expect(await trimtab("stop")).toMatchObject({ code: 0, out: "trimtab: the cluster trimtab has stopped\n" });
  expect(await running).toMatchObject({ code: 0 });
  expect(await listed()).toEqual([]);
});

test("a port that a cluster has is answered with its name and with how to start another", async () => {
  const first = trimtab("up", "--port=0", "--nodes=1", "--no-page");
  await expect
    .poll(async () => (await listed()).map(({ state }) => state), { timeout: 30_000 })
    .toEqual(["running"]);
  const [{ url } = { url: "" }] = JSON.parse((await trimtab("list", "--json")).out) as { url: string }[];
  const second = await trimtab("up", `--port=${new URL(url).port}`, "--nodes=1", "--no-page");
  expect(second.code).toBe(1);
  expect(second.err).toMatch(
    /it is in use; the cluster trimtab runs there \(trimtab stop trimtab ends it\); --name NAME starts a cluster with a port and a kubeconfig of its own/,
  );
  await trimtab("stop", "trimtab");
  await first;
});

test("explain placement reads a Pod from standard input", async () => {
  await start("a", "--nodes=1", "--no-page");
  const file = path.join(clusterFolder("a"), "kubeconfig");
  const pod =
    '{"apiVersion":"v1","kind":"Pod","metadata":{"name":"p"},"spec":{"containers":[{"name":"c","image":"i"}]}}';
  const explained = await new Promise<string>((resolve) => {
    const child = execFile(
      process.execPath,
      [program, "explain", "placement", "-f", "-", `--kubeconfig=${file}`],
      (_error, out, err) => resolve(out + err),
    );
    child.stdin?.end(pod);
  });
  expect(explained).toContain("node");
  expect(explained).not.toContain("no such file");
});
