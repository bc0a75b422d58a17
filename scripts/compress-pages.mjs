// Compresses what browsers load from dist/, which saves 2 MB of the package as it is installed: the servers of the page and of the playground
// send the compressed files as they are. Why: docs/decisions/0025. What a build that is not packed writes, they send as well.
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import path from "node:path";
import { gzipSync } from "node:zlib";

const dist = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "../dist");
/** A page of some kilobytes would not become smaller on a disk. */
const smallest = 8192;

for (const folder of ["ui/assets", "playground/assets"].map((name) => path.join(dist, name))) {
  for (const name of readdirSync(folder).filter((each) => /\.(?:js|css)$/.test(each))) {
    const file = path.join(folder, name);
    const bytes = readFileSync(file);
    if (bytes.length < smallest) continue;
    writeFileSync(`${file}.gz`, gzipSync(bytes, { level: 9 }));
    rmSync(file);
  }
}
