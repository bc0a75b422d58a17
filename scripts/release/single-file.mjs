// Makes a program of one file out of the installed package and a Node, for people without Node:
// `node scripts/release/single-file.mjs --package FOLDER --node FILE --out FILE`. Why so: docs/decisions/0028.
// FOLDER has the package in `node_modules/trimtab`, and what that needs beside it. FILE of --node is a Node 24 for the system that the
// program is for, and one that runs here.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import path from "node:path";
import { brotliCompressSync, constants } from "node:zlib";
import { npx, npxWords } from "../npm.mjs";

const { values: flags } = parseArgs({
  options: { package: { type: "string" }, node: { type: "string" }, out: { type: "string" } },
});
if (flags.package === undefined || flags.node === undefined || flags.out === undefined) {
  console.error("usage: node scripts/release/single-file.mjs --package FOLDER --node FILE --out FILE");
  process.exit(2);
}
const modules = path.resolve(flags.package, "node_modules");
const here = path.dirname(fileURLToPath(import.meta.url));

/** What the program reads, of the package and of those that its bundle does not have. */
const taken = [
  ...["package.json", "LICENSE", "CHANGELOG.md", "contract", "deploy", "schema"],
  ...["cli", "ui", "report", "playground"].map((name) => `dist/${name}`),
];
const unbundled = ["sorted-btree", "lmdb", "openid-client"].flatMap((name) => withDependencies(name));

/** A package and what it needs, as far as it is installed: `lmdb` and `openid-client` are for those who want them. */
function withDependencies(name) {
  const file = path.join(modules, name, "package.json");
  if (!existsSync(file)) return [];
  const { dependencies = {}, optionalDependencies = {} } = JSON.parse(readFileSync(file, "utf8"));
  return [name, ...Object.keys({ ...dependencies, ...optionalDependencies }).flatMap(withDependencies)];
}

function filesBelow(folder, name) {
  const at = path.join(folder, name);
  const entries = readdirSync(at, { withFileTypes: true, recursive: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) =>
      path.posix.join(name, path.relative(at, path.join(entry.parentPath, entry.name)).replaceAll("\\", "/")),
    );
}

const below = (folder, name) => (/\.\w+$|LICENSE/.test(name) ? [name] : filesBelow(folder, name));
const trimtab = path.join(modules, "trimtab");
const files = [
  ...taken
    .flatMap((name) => below(trimtab, name))
    .map((name) => [name, readFileSync(path.join(trimtab, name))]),
  ...[...new Set(unbundled)].flatMap((name) =>
    filesBelow(modules, name).map((file) => [`node_modules/${file}`, readFileSync(path.join(modules, file))]),
  ),
  ["start.cjs", Buffer.from("module.exports = (file) => import(require('node:url').pathToFileURL(file));\n")],
];
const index = JSON.stringify(files.map(([name, bytes]) => [name, bytes.length]));
const packed = brotliCompressSync(
  Buffer.concat([Buffer.from(`${index}\n`), ...files.map(([, bytes]) => bytes)]),
  {
    params: { [constants.BROTLI_PARAM_QUALITY]: 9 },
  },
);

const work = mkdtempSync(path.join(tmpdir(), "trimtab-single-"));
const inWork = (name, content) => {
  const file = path.join(work, name);
  if (content !== undefined) writeFileSync(file, content);
  return file;
};
const settings = {
  main: path.join(here, "single-file-start.cjs"),
  output: inWork("blob"),
  disableExperimentalSEAWarning: true,
  assets: {
    digest: inWork("digest", createHash("sha256").update(packed).digest("hex").slice(0, 32)),
    package: inWork("package", packed),
  },
};

function run(program, args) {
  const result = spawnSync(program, args, { encoding: "utf8" });
  if (result.error !== undefined || result.status !== 0) {
    console.error(`trimtab: ${program} ${args.join(" ")}: ${result.error?.message ?? result.stderr}`);
    process.exit(1);
  }
}

run(flags.node, ["--experimental-sea-config", inWork("config.json", JSON.stringify(settings))]);
copyFileSync(flags.node, flags.out);
chmodSync(flags.out, 0o755);
// The fuse is a text that Node looks for in its own file to know that there is a program in it.
const fuse = ["--sentinel-fuse", "NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2"];
const isMac = process.platform === "darwin";
const forMac = isMac ? ["--macho-segment-name", "NODE_SEA"] : [];
if (isMac) run("codesign", ["--remove-signature", flags.out]);
run(npx, [
  ...npxWords,
  "-y",
  "postject@1.0.0-alpha.6",
  flags.out,
  "NODE_SEA_BLOB",
  settings.output,
  ...fuse,
  ...forMac,
]);
// A changed program has no valid signature, which macOS asks for.
if (isMac) run("codesign", ["--sign", "-", "--force", flags.out]);
rmSync(work, { recursive: true, force: true });
console.log(`${flags.out}: ${files.length} files of the package in ${(packed.length / 1e6).toFixed(1)} MB`);
