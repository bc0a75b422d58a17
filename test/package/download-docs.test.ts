import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, onTestFinished, test } from "vitest";

const run = promisify(execFile);
const script = fileURLToPath(new URL("../../scripts/release/download-docs.mjs", import.meta.url));

/** Where the `gh` of this suite, a shell script, is no program. */
const onWindows = process.platform === "win32";

/** Runs the script beside a `gh` that answers from a folder: `tags`, and the files of each release in a folder of its name. */
async function downloaded(releases: Readonly<Record<string, readonly string[]>>, gh = answering) {
  const folder = mkdtempSync(path.join(tmpdir(), "trimtab-docs-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const [bin, pages] = ["bin", "pages"].map((name) => path.join(folder, name)) as [string, string];
  for (const each of [bin, pages]) mkdirSync(each);
  writeFileSync(path.join(folder, "tags"), Object.keys(releases).join("\n"));
  for (const [tag, versions] of Object.entries(releases)) {
    mkdirSync(path.join(folder, tag));
    for (const version of versions) {
      const made = path.join(folder, "made", version);
      mkdirSync(made, { recursive: true });
      writeFileSync(path.join(made, "index.html"), version);
      const packed = path.join(folder, tag, `docs-${version}.tgz`);
      await run("tar", ["czf", packed, "-C", path.dirname(made), version]);
    }
  }
  writeFileSync(path.join(bin, "gh"), gh, { mode: 0o755 });
  const env = { ...process.env, PATH: `${bin}:${process.env["PATH"] ?? ""}`, RELEASES: folder };
  const ended = await run(process.execPath, [script, pages], { env }).then(
    () => ({ code: 0, stderr: "" }),
    (error: unknown) => error as { code: number; stderr: string },
  );
  return { ...ended, pages };
}

const answering = `#!/bin/sh
case "$1 $2" in
  "release list") cat "$RELEASES/tags" ;;
  "release view") ls "$RELEASES/$3" ;;
  "release download") mkdir -p "$7" && cp "$RELEASES/$3"/docs-*.tgz "$7" ;;
  *) exit 9 ;;
esac
`;

test.skipIf(onWindows)(
  "the pages of every release are put below its version; other tags are left out",
  async () => {
    const { code, pages } = await downloaded({ "v0.1.0": ["0.1.0"], "v0.2.0": ["0.2.0"], nightly: [] });
    expect({ code, versions: readdirSync(pages).toSorted() }).toEqual({
      code: 0,
      versions: ["0.1.0", "0.2.0"],
    });
    expect(readFileSync(path.join(pages, "0.2.0/index.html"), "utf8")).toBe("0.2.0");
  },
);

test.skipIf(onWindows)("without a release there is nothing to do", async () => {
  const { code, pages } = await downloaded({});
  expect({ code, versions: readdirSync(pages) }).toEqual({ code: 0, versions: [] });
});

test.skipIf(onWindows)("a release from before the pages is left out", async () => {
  const { code, pages } = await downloaded({ "v0.0.1": [], "v0.1.0": ["0.1.0"] });
  expect({ code, versions: readdirSync(pages) }).toEqual({ code: 0, versions: ["0.1.0"] });
});

test.skipIf(onWindows)("what gh cannot do is said", async () => {
  const { code, stderr } = await downloaded({}, "#!/bin/sh\nexit 4\n");
  expect({ code, stderr }).toEqual({
    code: 1,
    stderr: "trimtab: gh release list --exclude-drafts --limit 100 --json tagName --jq .[].tagName failed\n",
  });
});
