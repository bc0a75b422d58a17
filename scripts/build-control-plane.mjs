// Builds kube-apiserver, kube-controller-manager and kube-scheduler of one of the versions in test/real-cluster/versions,
// and the etcd of test/real-cluster/etcd, once per set of versions, and prints the folder they are in. Where Go or its
// modules cannot be had it says so and ends with exit code 3.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
} from "node:fs";
import { homedir } from "node:os";
import { fileURLToPath } from "node:url";
import path from "node:path";

const tests = fileURLToPath(new URL("../test/real-cluster", import.meta.url));
const etcd = path.join(tests, "etcd");
const newest = "1.36";
const notPossible = 3;
/** No build takes so long: a lock this old was left behind by a builder that was killed. */
const longestBuildMs = 45 * 60_000;

const say = (sentence) => console.error(`trimtab: ${sentence}`);

function skip(reason) {
  say(`the tests on a real control plane are skipped: ${reason}`);
  process.exit(notPossible);
}

/** The versions there are; a folder is called after the minor one. */
const versions = readdirSync(path.join(tests, "versions"))
  .map((minor) => {
    const module = path.join(tests, "versions", minor);
    const goMod = readFileSync(path.join(module, "go.mod"), "utf8");
    return { minor, version: /k8s\.io\/kubernetes v([\d.]+)/.exec(goMod)[1], module };
  })
  .toSorted((a, b) => a.minor.localeCompare(b.minor, "en", { numeric: true }));

/** The one that TRIMTAB_KUBERNETES_VERSION names, as 1.29 or 1.29.15. */
function chosenVersion() {
  const wanted = process.env.TRIMTAB_KUBERNETES_VERSION || newest;
  const found = versions.find(({ minor, version }) => wanted === minor || wanted === version);
  if (found !== undefined) return found;
  const names = versions.map(({ version }) => version).join(", ");
  say(`TRIMTAB_KUBERNETES_VERSION: there is no ${JSON.stringify(wanted)}, only ${names}`);
  process.exit(1);
}

/** The folder for these versions, built by this Go. */
function folderOf({ version, module }, goVersion) {
  const hash = createHash("sha256").update(goVersion);
  for (const folder of [etcd, module])
    for (const file of ["go.mod", "go.sum"]) hash.update(readFileSync(path.join(folder, file)));
  const cache = process.env.XDG_CACHE_HOME || path.join(homedir(), ".cache");
  return path.join(cache, "trimtab", "real-cluster", `${version}-${hash.digest("hex").slice(0, 16)}`);
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
  /requires go >=|toolchain not available|module lookup disabled|dial tcp|i\/o timeout|no such host|TLS handshake|connection re(set|fused)|unexpected EOF|: EOF$|\b(40[1347]|410|429|5\d\d) [A-Z]|unrecognized import path|unable to access|executable file not found/m;

// Before 1.31 the programs came with the cloud providers' own libraries, unless this tag leaves them out.
const tags = ["-tags", "providerless"];

/** Loads the packages, and so the modules that are needed, but not those that only their tests need. */
function download(module) {
  const { status, stderr } = spawnSync("go", ["list", ...tags, "-deps", "tool"], {
    cwd: module,
    encoding: "utf8",
    stdio: ["ignore", "ignore", "pipe"],
  });
  if (status !== 0 && unavailable.test(stderr))
    skip(`the Go modules cannot be had: ${stderr.trim().split("\n").at(-1)}`);
}

/** Builds the tools that a module names; whether that went well. */
function buildTools(module, version, target) {
  const [major, minor] = version.split(".");
  const names = { gitVersion: `v${version}`, gitMajor: major, gitMinor: minor };
  const given = Object.entries(names).map(
    ([name, text]) => `-X k8s.io/component-base/version.${name}=${text}`,
  );
  // Two at a time: more packages at once take more memory than small machines have.
  const flags = ["-p", "2", "-trimpath", ...tags, "-ldflags", `-s -w ${given.join(" ")}`];
  const { status } = spawnSync("nice", ["go", "build", ...flags, "-o", `${target}/`, "tool"], {
    cwd: module,
    stdio: ["ignore", 2, 2],
    env: { ...process.env, CGO_ENABLED: "0" },
  });
  return status === 0;
}

function build(folder, { version, module }) {
  say(`building the control plane of Kubernetes ${version}: minutes the first time, kept in ${folder}`);
  const modules = [etcd, module];
  for (const each of modules) download(each);
  const building = mkdtempSync(`${folder}.building-`);
  try {
    if (!modules.every((each) => buildTools(each, version, building))) {
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

const chosen = chosenVersion();
const go = spawnSync("go", ["version"], { encoding: "utf8" });
if (go.error !== undefined) skip(`Go cannot be started (${go.error.message})`);
const folder = folderOf(chosen, go.stdout);
if (!existsSync(folder)) {
  mkdirSync(path.dirname(folder), { recursive: true });
  const unlock = lock(folder);
  process.on("exit", unlock);
  if (!existsSync(folder)) build(folder, chosen);
}
if (existsSync(folder)) console.log(folder);
