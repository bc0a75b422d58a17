import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { gunzipSync } from "node:zlib";

/** Copies a folder, whose files a build for the package has compressed: a server of static pages sends what has the name that is asked for. */
export function copyUnpacked(from: string, to: string): void {
  cpSync(from, to, { recursive: true });
  for (const name of readdirSync(to, { recursive: true, encoding: "utf8" })) {
    if (!name.endsWith(".gz")) continue;
    const packed = path.join(to, name);
    writeFileSync(packed.slice(0, -".gz".length), gunzipSync(readFileSync(packed)));
    rmSync(packed);
  }
}
