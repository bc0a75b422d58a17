// What the single file `trimtab` begins with: unpacks the program into the user's cache, once for each build of it, and runs it there.
// With the path of one of those files as its first word it runs that one, as `node FILE` does: the program starts itself so.
const { existsSync, lstatSync, mkdirSync, renameSync, rmSync, writeFileSync } = require("node:fs");
const { createRequire } = require("node:module");
const os = require("node:os");
const path = require("node:path");
const { getAsset, getRawAsset } = require("node:sea");
const { brotliDecompressSync } = require("node:zlib");

const digest = getAsset("digest", "utf8");
const cache = process.env.XDG_CACHE_HOME || path.join(os.homedir(), ".cache");
const programs = path.join(cache, "trimtab", "programs");
const folder = path.join(programs, digest);

try {
  mkdirSync(programs, { recursive: true, mode: 0o700 });
  for (const each of [programs, folder]) refuseForeign(each);
  if (!existsSync(folder)) unpack();
} catch (error) {
  console.error(`trimtab: the program could not be unpacked into ${folder}: ${error.message}`);
  process.exit(1);
}

const [node, , first, ...rest] = process.argv;
const isOwnFile = first !== undefined && path.isAbsolute(first) && first.startsWith(folder + path.sep);
const file = isOwnFile ? first : path.join(folder, "dist/cli/main.js");
process.argv = [node, file, ...(isOwnFile ? rest : process.argv.slice(2))];
// A script on the disk may import modules, which the one in this file may not.
createRequire(path.join(folder, "start.cjs"))("./start.cjs")(file);

/** Files that another user can write are not run. */
function refuseForeign(name) {
  if (process.platform === "win32" || !existsSync(name)) return;
  const { uid, mode } = lstatSync(name);
  if (uid !== process.getuid() || (mode & 0o022) !== 0)
    throw new Error(`${name} is not yours alone: remove it, or set XDG_CACHE_HOME`);
}

/** Into a folder of its own first: another one that starts now sees all files or none. */
function unpack() {
  const bytes = brotliDecompressSync(Buffer.from(getRawAsset("package")));
  const end = bytes.indexOf(10);
  const unfinished = `${folder}.${process.pid}`;
  let at = end + 1;
  for (const [name, size] of JSON.parse(bytes.toString("utf8", 0, end))) {
    const target = path.join(unfinished, name);
    mkdirSync(path.dirname(target), { recursive: true, mode: 0o700 });
    writeFileSync(target, bytes.subarray(at, at + size));
    at += size;
  }
  try {
    renameSync(unfinished, folder);
  } catch (error) {
    rmSync(unfinished, { recursive: true, force: true });
    if (!existsSync(folder)) throw error;
  }
}
