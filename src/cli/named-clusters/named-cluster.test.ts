import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { beforeEach, expect, onTestFinished, test } from "vitest";
import { VirtualClock } from "../../machinery/clock/virtual-clock.ts";
import {
  chooseCluster,
  claimClusterName,
  clusterFolder,
  findCluster,
  listClusters,
} from "./named-cluster.ts";
import { stopCluster } from "./stop-cluster.ts";

let env: { readonly XDG_STATE_HOME: string };
beforeEach(() => {
  const folder = mkdtempSync(path.join(tmpdir(), "trimtab-state-"));
  env = { XDG_STATE_HOME: folder };
  return () => rmSync(folder, { recursive: true, force: true });
});

const record = {
  url: "https://127.0.0.1:6443",
  kubeconfig: "/home/me/kubeconfig",
  context: "trimtab-a",
  nodes: "12 nodes in 3 zones",
  startedAt: "2026-01-01T00:00:00Z",
  words: ["up", "--name", "a"],
  workingDirectory: "/home/me",
};

/** Claims a name until the test ends. */
function claim(name: string) {
  const claimed = claimClusterName(name, env);
  onTestFinished(claimed.release);
  return claimed;
}

/** Leaves a cluster behind as a process does that was killed: by the lock of a process that has ended. */
function leave(name: string, { isRecorded = true } = {}): void {
  const claimed = claim(name);
  if (isRecorded) claimed.publish(record);
  const folder = clusterFolder(name, env);
  const lock = readdirSync(folder).find((file) => file.startsWith("lock.")) ?? "";
  const { pid } = spawnSync(process.execPath, ["--version"]);
  writeFileSync(path.join(folder, lock.replace(/^lock\.\d+\.\d+/, `lock.${pid}.1`)), "");
  rmSync(path.join(folder, lock));
}

test("a cluster is starting when its name is taken, running when it says how it is reached, then forgotten", () => {
  expect(listClusters(env)).toEqual([]);
  const claimed = claim("a");
  expect(findCluster("a", env)).toEqual({
    state: "starting",
    name: "a",
    owner: { pid: process.pid, isCertain: true },
  });
  claimed.publish(record);
  expect(findCluster("a", env)).toEqual({
    state: "running",
    name: "a",
    owner: { pid: process.pid, isCertain: true },
    record: { name: "a", pid: process.pid, ...record },
  });
  claimed.release();
  expect(findCluster("a", env)).toBeUndefined();
  expect(existsSync(clusterFolder("a", env))).toBe(false);
});

test("a name is taken once; others are free", () => {
  claim("a");
  expect(() => claimClusterName("a", env)).toThrow(
    `cannot start the cluster a: process ${process.pid} runs it already`,
  );
  claim("b");
  expect(listClusters(env).map(({ name }) => name)).toEqual(["a", "b"]);
});

test("a cluster whose process was killed has ended, whatever its files say, and its name is free", () => {
  leave("a");
  expect(findCluster("a", env)).toMatchObject({ state: "ended", record: { url: record.url } });
  claim("a");
  expect(findCluster("a", env)).toMatchObject({ state: "starting" });
});

test.for([
  { name: "no JSON", text: "{" },
  { name: "no object", text: "[]" },
  { name: "half of what is needed", text: '{"pid": 1}' },
])("a record that is $name is none", ({ text }) => {
  leave("a", { isRecorded: false });
  writeFileSync(path.join(clusterFolder("a", env), "cluster.json"), text);
  expect(findCluster("a", env)).toEqual({ state: "ended", name: "a", record: undefined });
});

test.for([
  { names: ["a"], want: "a" },
  { names: [], want: "name a cluster: there are a, b" },
  { names: ["c"], want: 'there is no cluster named "c": there are a, b' },
  { names: ["a", "b"], want: "one NAME at a time" },
])("of two clusters $names means $want", ({ names, want }) => {
  for (const name of ["a", "b"]) claim(name);
  const found = chooseCluster(names, env);
  expect(found.ok ? found.cluster.name : found.problem).toBe(want);
});

test("without a name the only cluster is meant, and no cluster is a sentence", () => {
  expect(chooseCluster([], env)).toEqual({ ok: false, problem: "name a cluster: none is running" });
  claim("a");
  expect(chooseCluster([], env)).toMatchObject({ ok: true, cluster: { name: "a" } });
});

/** Stops a cluster; the process is asked to end by `terminate`. */
async function stop(name: string, terminate: (pid: number) => void) {
  const clock = new VirtualClock();
  const cluster = findCluster(name, env);
  if (cluster === undefined) throw new Error("there is no such cluster");
  const { signal } = new AbortController();
  return clock.runUntilSettled(stopCluster(cluster, { env, clock, signal, terminate }));
}

/** Takes the name for a process that is none of ours. */
function takenBy({
  pid = 1,
  startedAt = "",
  machine,
}: {
  pid?: number;
  startedAt?: string;
  machine?: string;
}) {
  leave("a");
  const folder = clusterFolder("a", env);
  for (const file of readdirSync(folder).filter((name) => name.startsWith("lock."))) {
    const [, , , boot, space, here] = file.split(".");
    rmSync(path.join(folder, file));
    writeFileSync(path.join(folder, ["lock", pid, startedAt, boot, space, machine ?? here].join(".")), "");
  }
}

test("a process of another machine, or one that may be another by now, is never signalled", async () => {
  const signalled: number[] = [];
  for (const lock of [{ machine: "elsewhere" }, { startedAt: "" }]) {
    takenBy(lock);
    expect(await stop("a", (pid) => signalled.push(pid))).toMatch(/^process 1 may be another one by now/);
    rmSync(clusterFolder("a", env), { recursive: true });
  }
  expect(signalled).toEqual([]);
});

test("neither is a process that has the number of one that has ended", async () => {
  const signalled: number[] = [];
  takenBy({ pid: process.pid, startedAt: "7" });
  expect(await stop("a", (pid) => signalled.push(pid))).toBeUndefined();
  expect(signalled).toEqual([]);
  expect(findCluster("a", env)).toBeUndefined();
});

test("this process does not stop itself", async () => {
  claim("a");
  expect(await stop("a", () => undefined)).toBe("the cluster a runs in this process");
});

test.for([
  { code: "ESRCH", want: undefined },
  { code: "EPERM", want: "the cluster a (process 7) cannot be stopped: kill EPERM" },
])("a process that cannot be signalled because of $code: $want", async ({ code, want }) => {
  const terminate = () => {
    throw Object.assign(new Error(`kill ${code}`), { code });
  };
  const { signal } = new AbortController();
  const cluster = { state: "starting", name: "a", owner: { pid: 7, isCertain: true } } as const;
  expect(await stopCluster(cluster, { env, clock: new VirtualClock(), signal, terminate })).toBe(want);
});

test("a name that another process takes while it is given up stays that process's", () => {
  const claimed = claim("a");
  const other = path.join(clusterFolder("a", env), "lock.1.1.boot.1.elsewhere");
  writeFileSync(other, "");
  claimed.publish(record);
  claimed.release();
  expect(readdirSync(clusterFolder("a", env))).toEqual([path.basename(other)]);
});

test("a folder that is no cluster's is not listed as running, and a file not at all", () => {
  mkdirSync(clusterFolder("stray", env), { recursive: true });
  writeFileSync(clusterFolder(".DS_Store", env), "");
  expect(listClusters(env)).toEqual([{ state: "ended", name: "stray", record: undefined }]);
});
