// Puts the pages of every release into a folder, each below its version: `node scripts/release/download-docs.mjs FOLDER`.
// Where there is no release yet it does nothing, and a release without pages is left out. Needs gh, and GH_TOKEN.
import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

const [folder] = process.argv.slice(2);
if (folder === undefined) {
  console.error("usage: node scripts/release/download-docs.mjs FOLDER");
  process.exit(2);
}

function run(program, args) {
  const result = spawnSync(program, args, { encoding: "utf8", stdio: ["ignore", "pipe", "inherit"] });
  if (result.error !== undefined || result.status !== 0) {
    console.error(`trimtab: ${program} ${args.join(" ")} failed`);
    process.exit(1);
  }
  return result.stdout.trim();
}

const listed = ["--exclude-drafts", "--limit", "100", "--json", "tagName", "--jq", ".[].tagName"];
const tags = run("gh", ["release", "list", ...listed]);
const work = mkdtempSync(path.join(tmpdir(), "trimtab-docs-"));
for (const tag of tags.split("\n").filter((name) => /^v\d/.test(name))) {
  const assets = run("gh", ["release", "view", tag, "--json", "assets", "--jq", ".assets[].name"]);
  if (!/^docs-.*\.tgz$/m.test(assets)) continue;
  const into = path.join(work, tag);
  run("gh", ["release", "download", tag, "--pattern", "docs-*.tgz", "--dir", into]);
  for (const file of readdirSync(into)) run("tar", ["xzf", path.join(into, file), "-C", folder]);
}
rmSync(work, { recursive: true, force: true });
