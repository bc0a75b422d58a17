// Builds etcd, kube-apiserver, kube-controller-manager and kube-scheduler from the versions in test/real-cluster/go.mod,
// once per set of versions, and prints the folder they are in. Where Go or its modules cannot be had it says so and ends
// with exit code 3.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { fileURLToPath } from "node:url";
import path from "node:path";

const module = fileURLToPath(new URL("../test/real-cluster", import.meta.url));
const notPossible = 3;
/** No build takes so long: a lock this old was left behind by a builder that was killed. */
const longestBuildMs = 45 * 60_000;

const say = (sentence) => console.error(`trimtab: ${sentence}`);

function skip(reason) {
  say(`the tests on a real control plane are skipped: ${reason}`);
  process.exit(notPossible);
}

const go = (argv, options = {}) => spawnSync("go", argv, { cwd: module, encoding: "utf8", ...options });

/** The folder for these versions, built by this Go. */
function folderOf(goVersion) {
  const hash = createHash("sha256").update(goVersion);
  for (const file of ["go.mod", "go.sum"]) hash.update(readFileSync(path.join(module, file)));
  const cache = process.env.XDG_CACHE_HOME || path.join(homedir(), ".cache");
  return path.join(cache, "trimtab", "real-cluster", hash.digest("hex").slice(0, 16));
}

/** Waits for another builder of the same versions, if there is one; the process that creates the lock builds. */
function lock(folder) {
  const locked = `${folder}.lock`;
  for (let said = false; ; said = true) {
    try {
      mkdirSync(locked);
      return () => rmSync(locked, { recursive: true, force: true });
    } catch (error) {
      if (error.code !== "EEXIST") throw error;
    }
    if (existsSync(folder)) return () => undefined;
    const since = statSync(locked, { throwIfNoEntry: false })?.mtimeMs ?? Date.now();
    if (Date.now() - since > longestBuildMs) rmSync(locked, { recursive: true, force: true });
    else if (!said) say(`another build is under way; if it is not, remove ${locked}`);
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1000);
  }
}

// Either the machine cannot have the modules, or a version of Go is missing: nothing that a change here could mend.
const unavailable =
  /requires go >=|toolchain not available|dial tcp|i\/o timeout|module lookup disabled|no such host|Forbidden|Not Found|Bad Gateway|Service Unavailable|TLS handshake|connection re(set|fused)/;

function build(folder) {
  const version = /k8s\.io\/kubernetes (v[\d.]+)/.exec(readFileSync(path.join(module, "go.mod"), "utf8"))[1];
  say(`building the control plane of Kubernetes ${version}: minutes the first time, kept in ${folder}`);
  // Loads the packages, and so the modules that are needed, but not those that only their tests need.
  const download = go(["list", "-deps", "tool"], { stdio: ["ignore", "ignore", "pipe"] });
  if (download.status !== 0 && unavailable.test(download.stderr))
    skip(`the Go modules cannot be had: ${download.stderr.trim().split("\n").at(-1)}`);
  const building = mkdtempSync(`${folder}.building-`);
  try {
    const [, major, minor] = /^v(\d+)\.(\d+)/.exec(version);
    const names = { gitVersion: version, gitMajor: major, gitMinor: minor };
    const given = Object.entries(names).map(
      ([name, text]) => `-X k8s.io/component-base/version.${name}=${text}`,
    );
    // Two at a time: more packages at once take more memory than small machines have.
    const argv = [
      "go",
      "build",
      "-p",
      "2",
      "-trimpath",
      "-ldflags",
      `-s -w ${given.join(" ")}`,
      "-o",
      `${building}/`,
    ];
    const built = spawnSync("nice", [...argv, "tool"], {
      cwd: module,
      stdio: ["ignore", 2, 2],
      env: { ...process.env, CGO_ENABLED: "0" },
    });
    if (built.status !== 0) {
      say("the control plane could not be built; see above");
      process.exitCode = 1;
      return;
    }
    // The package of etcd's program is called after its module.
    renameSync(path.join(building, "server"), path.join(building, "etcd"));
    renameSync(building, folder);
  } finally {
    rmSync(building, { recursive: true, force: true });
  }
}

const version = go(["version"]);
if (version.error !== undefined) skip(`Go cannot be started (${version.error.message})`);
const folder = folderOf(version.stdout);
if (!existsSync(folder)) {
  mkdirSync(path.dirname(folder), { recursive: true });
  const unlock = lock(folder);
  process.on("exit", unlock);
  if (!existsSync(folder)) build(folder);
}
if (existsSync(folder)) console.log(folder);
