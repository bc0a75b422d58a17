import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { request as httpRequest } from "node:http";
import { request as httpsRequest } from "node:https";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from "vitest";
import { bindServer } from "../../src/machinery/https-server/bind-server.ts";
import { ownCertificate } from "../../src/machinery/https-server/serving-certificate.ts";
import { WallClock } from "../../src/machinery/clock/wall-clock.ts";
import { systemRandom } from "../../src/machinery/random/system-random.ts";
import { type BundledPrograms, bundlePrograms } from "./bundled-program.ts";

const patience = { timeout: 120_000, interval: 20 };

let programs: BundledPrograms;
beforeAll(async () => {
  programs = await bundlePrograms();
}, 600_000);
afterAll(() => programs.remove());

function someFolder(): string {
  const folder = mkdtempSync(path.join(tmpdir(), "trimtab-envtest-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** A port that was free a moment ago, as envtest finds one. */
async function freePort(): Promise<number> {
  const server = createServer();
  const port = await bindServer(server, "127.0.0.1", 0);
  await new Promise((resolve) => server.close(resolve));
  return port;
}

const program = (name: string) => path.join(programs.assets, name);

/** Runs a program to its end. */
function ended(name: string, words: readonly string[], env: Readonly<Record<string, string>> = {}) {
  return new Promise<{ code: number | string; out: string; err: string }>((resolve) => {
    execFile(program(name), words, { env: { ...process.env, ...env } }, (error, out, err) =>
      resolve({ code: error === null ? 0 : (error.code ?? "killed"), out, err }),
    );
  });
}

const etcdFlags = (port: number, folder: string) => [
  `--listen-client-urls=http://127.0.0.1:${port}`,
  `--advertise-client-urls=http://127.0.0.1:${port}`,
  "--listen-peer-urls=http://127.0.0.1:1",
  `--data-dir=${folder}`,
  "--unsafe-no-fsync=true",
];
const apiServerFlags = (port: number, folder: string) => [
  "--etcd-servers=http://127.0.0.1:1",
  `--secure-port=${port}`,
  "--bind-address=127.0.0.1",
  `--cert-dir=${folder}`,
  "--authorization-mode=RBAC",
];

/** The status of a health check; 0: nobody answers. */
function healthOf(name: string, port: number): Promise<number> {
  const send = name === "etcd" ? httpRequest : httpsRequest;
  const options = {
    host: "127.0.0.1",
    port,
    path: name === "etcd" ? "/health" : "/healthz",
    rejectUnauthorized: false,
    agent: false,
  };
  return new Promise((resolve) => {
    send(options, (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    })
      .on("error", () => resolve(0))
      .end();
  });
}

const both = [
  { name: "etcd", flags: etcdFlags },
  { name: "kube-apiserver", flags: apiServerFlags },
] as const;

test.each(both)("$name answers health checks, and SIGTERM ends it", async ({ name, flags }) => {
  const port = await freePort();
  const child = spawn(program(name), flags(port, someFolder()), { stdio: "ignore" });
  const exit = once(child, "exit");
  await vi.waitFor(async () => expect(await healthOf(name, port)).toBe(200), patience);
  child.kill("SIGTERM");
  expect(await exit).toEqual([0, null]);
  expect(await healthOf(name, port)).toBe(0);
});

test.each(both)("$name ends when the program that started it was killed", async ({ name, flags }) => {
  const port = await freePort();
  const words = [program(name), ...flags(port, someFolder())].map((word) => `'${word}'`).join(" ");
  // In a process group of its own, as under envtest: killing the parent's group does not reach it.
  const parent = spawn("sh", ["-c", `setsid ${words} & wait`], { stdio: "ignore" });
  await vi.waitFor(async () => expect(await healthOf(name, port)).toBe(200), patience);
  parent.kill("SIGKILL");
  await vi.waitFor(async () => expect(await healthOf(name, port)).toBe(0), patience);
});

test.each(both)("$name says in one sentence that its port is in use", async ({ name, flags }) => {
  const server = createServer();
  const port = await bindServer(server, "127.0.0.1", 0);
  onTestFinished(() => void server.close());
  const { code, err } = await ended(name, flags(port, someFolder()));
  expect({ code, err }).toEqual({
    code: 1,
    err: `Error: cannot listen on port ${port} of 127.0.0.1: it is in use\n`,
  });
});

test("a certificate that does not fit its key is one sentence", async () => {
  const folder = someFolder();
  const [first, second] = [0, 1].map(() =>
    ownCertificate({ clock: new WallClock(), random: systemRandom() }),
  );
  writeFileSync(path.join(folder, "apiserver.crt"), first?.certificate ?? "");
  writeFileSync(path.join(folder, "apiserver.key"), second?.key ?? "");
  const { code, err } = await ended("kube-apiserver", apiServerFlags(await freePort(), folder));
  expect(code).toBe(1);
  expect(err).toMatch(
    /^Error: \S+apiserver\.crt and \S+apiserver\.key are not a certificate and its key: .*\n$/,
  );
});

test.each(both)("$name says in one sentence that a folder cannot be made", async ({ name, flags }) => {
  const file = path.join(someFolder(), "file");
  writeFileSync(file, "");
  const { code, err } = await ended(name, flags(await freePort(), path.join(file, "inside")));
  expect(code).toBe(1);
  expect(err).toMatch(/^Error: ENOTDIR: [^\n]+\n$/);
});

test("envtest finds in --help what it looks for", async () => {
  const [etcd, server] = [await ended("etcd", ["--help"]), await ended("kube-apiserver", ["--help"])];
  expect(etcd.out).toMatch(/^\s*--unsafe-no-fsync\b/m);
  expect(server.out).toMatch(/^\s*--cert-dir\b/m);
  expect(server.out).not.toMatch(/^\s*--insecure-port\b/m);
  expect((await ended("kube-apiserver", ["--version"])).out).toBe("Kubernetes v1.36.4\n");
});

test("a flag that would change results is refused, and so is an unknown addition", async () => {
  const flags = apiServerFlags(await freePort(), someFolder());
  expect(await ended("kube-apiserver", [...flags, "--token-auth-file=/tokens"])).toMatchObject({
    code: 1,
    err: 'Error: invalid argument "/tokens" for "--token-auth-file" flag: not supported: users are identified by client certificates and by tokens of service accounts only\n',
  });
  expect(await ended("kube-apiserver", flags, { TRIMTAB_ENVTEST: "gcc" })).toMatchObject({
    code: 1,
    err: 'Error: TRIMTAB_ENVTEST: "gcc" is unknown; did you mean gc?\n',
  });
});

test("a server that misbehaves on purpose says at its end what it did", async () => {
  const port = await freePort();
  const env = { ...process.env, TRIMTAB_ENVTEST_FAULTS: "7:rough" };
  const child = spawn(program("kube-apiserver"), apiServerFlags(port, someFolder()), { env, stdio: "pipe" });
  let err = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => (err += text));
  const exit = once(child, "close");
  await vi.waitFor(async () => expect(await healthOf("kube-apiserver", port)).toBe(200), patience);
  child.kill("SIGTERM");
  await exit;
  expect(err).toContain("Faults of seed 7 (rough): 0 faults injected");
});

test("faults that are not known are one sentence", async () => {
  const flags = apiServerFlags(await freePort(), someFolder());
  const { code, err } = await ended("kube-apiserver", flags, { TRIMTAB_ENVTEST_FAULTS: "7:ruff" });
  expect(code).toBe(1);
  expect(err).toMatch(/^Error: TRIMTAB_ENVTEST_FAULTS: [^\n]+\n$/);
});

test("a command that faults disturb finds the programs, unless it brings its own", async () => {
  const cache = someFolder();
  const command = `case "$KUBEBUILDER_ASSETS" in "$WANTED"*) exec "$KUBEBUILDER_ASSETS/etcd" --version ;; esac; exit 1`;
  const runs = [
    { KUBEBUILDER_ASSETS: "", WANTED: path.join(cache, "trimtab/envtest") },
    { KUBEBUILDER_ASSETS: programs.assets, WANTED: programs.assets },
  ].map((env) => {
    const words = ["faults", "run", "--envtest", "--seeds", "1", "--", "sh", "-c", command];
    return promisify(execFile)(process.execPath, [programs.main, ...words], {
      env: { ...process.env, XDG_CACHE_HOME: cache, ...env },
    });
  });
  for (const { stdout } of await Promise.all(runs))
    expect(stdout).toContain("It passes with the faults of 1 seed");
});

test("kubectl is the one on the PATH, or a sentence", async () => {
  const folder = someFolder();
  writeFileSync(path.join(folder, "kubectl"), '#!/bin/sh\necho "kubectl $*"\n');
  chmodSync(path.join(folder, "kubectl"), 0o755);
  const found = await ended("kubectl", ["get", "pods"], {
    PATH: `${programs.assets}:${folder}:/usr/bin:/bin`,
  });
  expect(found).toEqual({ code: 0, out: "kubectl get pods\n", err: "" });
  const missing = await ended("kubectl", [], { PATH: programs.assets });
  expect(missing.code).toBe(127);
  expect(missing.err).toContain("trimtab envtest brings none, and there is none on the PATH");
});
