// Does what a release does, up to the first push, and says of each step whether it was done, failed, or could not be done
// here and why. `npm run release:dry-run -- [--tarball FILE] [--nodes 20,22,24] [--out FOLDER] [--only STEP,STEP]`
import { createHash } from "node:crypto";
import { spawnSync } from "node:child_process";
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import path from "node:path";
import { gzipSync } from "node:zlib";
import { parse } from "yaml";
import { npm, npmWords, npx, npxWords } from "../npm.mjs";

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "../..");
const { values: flags } = parseArgs({
  options: {
    tarball: { type: "string" },
    nodes: { type: "string" },
    out: { type: "string" },
    only: { type: "string" },
  },
});
const work = mkdtempSync(path.join(tmpdir(), "trimtab-release-"));
const out = path.resolve(flags.out ?? path.join(work, "release"));
mkdirSync(out, { recursive: true });

const read = (file) => readFileSync(path.join(root, file), "utf8");
const manifest = JSON.parse(read("package.json"));

const goEnv = { ...process.env, GOBIN: path.join(work, "go") };

class Failed extends Error {}
class NotHere extends Error {}

function run(program, args, options = {}) {
  const result = spawnSync(program, args, { cwd: root, encoding: "utf8", ...options });
  if (result.error !== undefined)
    throw new Failed(`${program} could not be started: ${result.error.message}`);
  if (result.status !== 0)
    throw new Failed(
      `${program} ${args.join(" ")} ended with ${result.status}: ${result.stderr}${result.stdout}`.trim(),
    );
  return result.stdout.trim();
}

const has = (program) => spawnSync(program, ["version"], { stdio: "ignore" }).error === undefined;

/** The versions that a release names agree. */
function versions() {
  const chart = parse(read("deploy/helm/trimtab/Chart.yaml"));
  const named = { "Chart.yaml version": chart.version, "Chart.yaml appVersion": chart.appVersion };
  for (const [where, version] of Object.entries(named))
    if (version !== manifest.version)
      throw new Failed(`${where} is ${version}, package.json has ${manifest.version}`);
  const [, notes] =
    new RegExp(`^## ${manifest.version.replaceAll(".", "\\.")}[^\\n]*\\n([^]*?)(?=^## |(?![^]))`, "m").exec(
      read("CHANGELOG.md"),
    ) ?? [];
  if (notes === undefined) throw new Failed(`CHANGELOG.md has no heading ## ${manifest.version}`);
  writeFileSync(path.join(out, "notes.md"), notes.trim() + "\n");
  return `${manifest.version} in package.json, the chart and CHANGELOG.md`;
}

/** Workflows name scripts and files that exist, and jobs that there are; what else can be wrong in them, actionlint knows. */
function workflows() {
  const files = readdirSync(path.join(root, ".github/workflows"));
  for (const file of files) {
    const { jobs } = parse(read(`.github/workflows/${file}`));
    for (const [name, job] of Object.entries(jobs)) {
      for (const needed of [job.needs ?? []].flat())
        if (!(needed in jobs)) throw new Failed(`${file}: ${name} needs ${needed}, which is no job`);
      if (job.uses !== undefined && !existsSync(path.join(root, job.uses)))
        throw new Failed(`${file}: ${name} uses ${job.uses}, which is not there`);
      for (const { run: line = "" } of job.steps ?? []) checkLine(line, `${file}: ${name}`);
    }
  }
  return `${files.join(", ")}: jobs, scripts and files exist; ${linted()}; not run`;
}

/** By the Go module, which is compiled once. */
function linted() {
  const linter = "github.com/rhysd/actionlint/cmd/actionlint@v1.7.7";
  if (spawnSync("go", ["install", linter], { env: goEnv, stdio: "ignore" }).status !== 0)
    return "not linted, since actionlint cannot be had here";
  run(path.join(goEnv.GOBIN, "actionlint"), ["-no-color"]);
  return "actionlint finds nothing";
}

function checkLine(line, where) {
  const [, script] = /^npm (?:run )?((?!install|publish|pkg|ci\b)[\w:-]+)/.exec(line) ?? [];
  if (script !== undefined && !(script in manifest.scripts))
    throw new Failed(`${where}: there is no npm script ${script}`);
  const [, file] = /^node (\S+)/.exec(line) ?? [];
  if (file !== undefined && !existsSync(path.join(root, file)))
    throw new Failed(`${where}: ${file} is not there`);
  const [, published] = /^npm publish .*?(\S+\.tgz)/.exec(line) ?? [];
  if (published?.startsWith("./") === false)
    throw new Failed(`${where}: npm takes ${published} for a repository of GitHub: ./${published}`);
}

let tarball;

function pack() {
  if (flags.tarball === undefined) {
    run(npm, [...npmWords, "run", "build"]);
    run(npm, [...npmWords, "pack", "--ignore-scripts", "--pack-destination", out]);
  } else copyFileSync(flags.tarball, path.join(out, path.basename(flags.tarball)));
  const name = readdirSync(out).find((each) => /^trimtab-.*\.tgz$/.test(each));
  if (name !== `trimtab-${manifest.version}.tgz`) throw new Failed(`the package is called ${name}`);
  tarball = path.join(out, name);
  const files = run("tar", ["tzf", name], { cwd: out }).split("\n");
  const wrong = files.filter((file) => /\.(test|cases|contract)\.|\.map$|node_modules/.test(file));
  if (wrong.length > 0)
    throw new Failed(`the package has files that it should not have: ${wrong.slice(0, 5).join(", ")}`);
  const commands = ["dist/cli/main.js", "dist/ui/index.html", "dist/playground/index.html"];
  for (const wanted of ["README.md", "LICENSE", "CHANGELOG.md", ...commands])
    if (!files.includes(`package/${wanted}`)) throw new Failed(`the package lacks ${wanted}`);
  return `${name}: ${files.length} files`;
}

/** The program of a Node: this one, a file, or a major version, which npx fetches. */
function nodeProgram(name) {
  if (name === "this") return process.execPath;
  if (!/^\d+$/.test(name)) return name;
  const fetched = spawnSync(npx, [...npxWords, "-y", `node@${name}`, "-p", "process.execPath"], {
    encoding: "utf8",
  });
  if (fetched.status !== 0) throw new NotHere(`npx cannot fetch node@${name}`);
  return fetched.stdout.trim();
}

/** Installs the package in an empty folder, and does with a Node what README says. */
function install(nodeName) {
  const node = nodeProgram(nodeName);
  const folder = mkdtempSync(path.join(work, "empty-"));
  writeFileSync(path.join(folder, "package.json"), '{"private":true}\n');
  const env = { ...process.env, PATH: [path.dirname(node), process.env.PATH].join(path.delimiter) };
  run(
    npm,
    [...npmWords, "install", "--prefer-offline", "--ignore-scripts", "--no-audit", "--no-fund", tarball],
    {
      cwd: folder,
      env,
    },
  );
  const trimtab = (...words) =>
    run(node, ["node_modules/trimtab/dist/cli/main.js", ...words], { cwd: folder, env });
  const version = trimtab("version");
  if (version !== `trimtab ${manifest.version}`) throw new Failed(`trimtab version says ${version}`);
  if (!trimtab("example").includes("These go, first to go first"))
    throw new Failed("trimtab example says something else");
  trimtab("init");
  trimtab("simulate", "scenarios/web.yaml", "--seeds", "2");
  trimtab("up", "--name", `release-${process.pid}`, "--detach", "--port", "0", "--kubeconfig", "kubeconfig");
  try {
    const nodes = trimtab("whatif", "--kubeconfig", "kubeconfig", "--zone-down", "zone-b");
    if (nodes === "") throw new Failed("trimtab whatif says nothing");
    trimtab("doctor", "--kubeconfig", "kubeconfig");
  } finally {
    trimtab("stop", `release-${process.pid}`);
  }
  const program = [
    'import { chooseVictims, countPerNode, defaultFeatureGates, removalReason } from "trimtab";',
    'const pods = ["a", "b"].map((name) => ({ metadata: { name, namespace: "default", uid: name, resourceVersion: "1" } }));',
    "const facts = { now: 0, gates: defaultFeatureGates, related: countPerNode(pods) };",
    "for (const victim of chooseVictims(pods, 1, facts).victims) console.log(victim.pod.metadata.name, removalReason(victim));",
  ].join("\n");
  run(node, ["--input-type=module", "-e", program], { cwd: folder, env });
  return run(node, ["--version"]);
}

/** The documentation as pages, in a folder of its version, as `pages.yml` puts it beside other versions. */
function site() {
  const pages = path.join(work, "pages");
  const said = run(npm, [...npmWords, "run", "--silent", "site", "--", "--out", pages]);
  // By names without a drive: a tar may take what is before a colon for another machine.
  const file = `docs-${manifest.version}.tgz`;
  run("tar", ["czf", file, manifest.version], { cwd: pages });
  copyFileSync(path.join(pages, file), path.join(out, file));
  return `${said.split(" in ")[0]}, in ${file}`;
}

/** The program for people without Node, for this system. */
function singleFile() {
  const node = nodeProgram("24");
  if (
    spawnSync(npx, [...npxWords, "-y", "postject@1.0.0-alpha.6", "--help"], { stdio: "ignore" }).status !== 0
  )
    throw new NotHere("npx cannot fetch postject");
  const folder = mkdtempSync(path.join(work, "single-"));
  writeFileSync(path.join(folder, "package.json"), '{"private":true}\n');
  const beside = ["lmdb", "openid-client"].map((name) => `${name}@${manifest.devDependencies[name]}`);
  const flagsOfInstall = ["--prefer-offline", "--ignore-scripts", "--no-audit", "--no-fund"];
  run(npm, [...npmWords, "install", ...flagsOfInstall, tarball, ...beside], { cwd: folder });
  const name = `trimtab-${manifest.version}-${process.platform}-${process.arch}`;
  const file = path.join(folder, process.platform === "win32" ? `${name}.exe` : name);
  run(process.execPath, [
    "scripts/release/single-file.mjs",
    "--package",
    folder,
    "--node",
    node,
    "--out",
    file,
  ]);
  // Nothing else is needed: neither Node nor a package.
  const env = { HOME: folder, USERPROFILE: folder, PATH: "" };
  const trimtab = (...words) => run(file, words, { cwd: folder, env });
  if (trimtab("version") !== `trimtab ${manifest.version}`)
    throw new Failed("trimtab version says something else");
  trimtab("init", "started");
  trimtab("simulate", "started/scenarios/web.yaml", "--seeds", "2");
  const cluster = `single-${process.pid}`;
  const flagsOfUp = ["--data-dir", "data", "--port", "0", "--kubeconfig", "kubeconfig"];
  trimtab("up", "--name", cluster, "--detach", ...flagsOfUp);
  try {
    trimtab("doctor", "--kubeconfig", "kubeconfig");
  } finally {
    trimtab("stop", cluster);
  }
  writeFileSync(path.join(out, `${name}.gz`), gzipSync(readFileSync(file)));
  const sizes = [file, path.join(out, `${name}.gz`)].map((each) => (statSync(each).size / 1e6).toFixed(0));
  return `${name}: ${sizes[0]} MB, packed ${sizes[1]} MB`;
}

function chart() {
  const image = `registry.example/trimtab@sha256:${"0".repeat(64)}`;
  const folder = run(process.execPath, [
    "scripts/release/chart-with-image.mjs",
    image,
    path.join(work, "chart"),
  ]);
  const { image: written } = parse(readFileSync(path.join(folder, "values.yaml"), "utf8"));
  if (written !== image) throw new Failed(`values.yaml of the chart has the image ${written}`);
  if (!has("helm"))
    throw new NotHere(
      "the chart has the image's digest as default; there is no helm to package it (test/install renders it)",
    );
  run("helm", ["lint", "--strict", folder]);
  run("helm", ["package", folder, "--destination", out]);
  return "packaged, with the image's digest as default";
}

function image() {
  const dockerfile = read("Dockerfile");
  const [, user = "0"] = /^USER (\d+)/m.exec(dockerfile) ?? [];
  if (user === "0") throw new Failed("the image would run as root");
  const isThere = spawnSync("docker", ["info"], { stdio: "ignore" }).status === 0;
  if (!isThere)
    throw new NotHere(
      "no docker runs here: not built, for no platform (test/install does what the Dockerfile does, without a container)",
    );
  run("docker", ["build", "--tag", `trimtab:${manifest.version}`, "."]);
  return `built for this platform, as user ${user}`;
}

function checksums() {
  const files = readdirSync(out).filter((name) => /\.t?gz$/.test(name));
  const lines = files.map(
    (name) =>
      `${createHash("sha256")
        .update(readFileSync(path.join(out, name)))
        .digest("hex")}  ${name}\n`,
  );
  writeFileSync(path.join(out, "SHA256SUMS"), lines.join(""));
  if (files.length === 0) throw new Failed("there is nothing to sum");
  return `${files.length} in ${flags.out === undefined ? "SHA256SUMS" : path.join(flags.out, "SHA256SUMS")}`;
}

const notHere = (why) => () => {
  throw new NotHere(why);
};

const steps = [
  ["versions", versions],
  ["workflows", workflows],
  ["package", pack],
  ...(flags.nodes ?? "this").split(",").map((node) => [`install on Node (${node})`, () => install(node)]),
  ["documentation", site],
  ["single file", singleFile],
  ["chart", chart],
  ["image", image],
  ["checksums", checksums],
  ["signatures, SBOM, arm64", notHere("made where the image is pushed")],
  ["push to npm, registries and pages", notHere("a dry run ends here")],
];

let failures = 0;
const only = flags.only?.split(",");
for (const [name, step] of steps.filter(([each]) => only?.includes(each) ?? true)) {
  try {
    console.log(`ok    ${name}: ${step()}`);
  } catch (error) {
    if (!(error instanceof Failed || error instanceof NotHere)) throw error;
    if (error instanceof Failed) failures += 1;
    console.log(`${error instanceof Failed ? "FAIL " : "skip "} ${name}: ${error.message}`);
    if (name === "package") break;
  }
}
rmSync(work, { recursive: true, force: true });
if (failures > 0) console.error(`trimtab: ${failures} steps of the release failed`);
process.exitCode = failures > 0 ? 1 : 0;
