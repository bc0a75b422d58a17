import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { allCommands } from "../../src/cli/commands.ts";
import { runCommand } from "../../src/cli/run-command.ts";
import { upFlags } from "../../src/cli/up/up-settings.ts";
import { readPodBehaviour } from "../../src/cluster/kubelet/behaviour/pod-behaviour.ts";
import * as trimtab from "../../src/index.ts";
import { pod } from "../../src/testing/pod.ts";
import { findKubectls } from "../kubectl/kubectls.ts";
import { codeBlocks, readPage, shellCommands } from "./markdown.ts";
import { isAsShown } from "./shown-output.ts";

const commands = await allCommands();

const page = readPage("README.md");
const manifest = JSON.parse(readPage("package.json")) as {
  readonly scripts: Readonly<Record<string, string>>;
  readonly exports: Readonly<Record<string, unknown>>;
};

/** Runs `trimtab WORDS…` in this process. */
function runTrimtab(words: readonly string[], interrupted = new AbortController().signal) {
  const lines: string[] = [];
  const listeners = new Set<(text: string) => void>();
  const print = (text: string) => {
    lines.push(text);
    for (const listener of listeners) listener(text);
  };
  const ended = runCommand(commands, words, { out: print, err: print, interrupted });
  return {
    ended,
    printed: () => lines.join("\n"),
    onPrint: (listener: (text: string) => void) => listeners.add(listener),
  };
}

test("every npm command in it is a script of the package", () => {
  const scripts = shellCommands(page).flatMap((line) =>
    [...line.matchAll(/npm (?:run (\S+)|(start|test))/g)].map(([, run, own]) => run ?? own ?? ""),
  );
  expect(scripts).not.toEqual([]);
  expect(scripts.filter((name) => !(name in manifest.scripts))).toEqual([]);
});

test("what it shows of the example is what the command prints", async () => {
  const example = shellCommands(page).find((line) => line.startsWith("npm start -- "));
  const { printed, ended } = runTrimtab((example ?? "").split(" ").slice(3));
  expect(await ended).toBe(0);
  const shown = codeBlocks(page).find(({ language }) => language === "");
  expect(printed()).toContain(shown?.text.trimEnd());
});

test("its program runs", () => {
  const program = codeBlocks(page).find(({ language }) => language === "ts");
  const body = program?.text.replace(/^import (\{.*\}) from "trimtab";$/m, "const $1 = trimtab;") ?? "";
  expect(body).not.toContain("import");
  const pods = [pod("web-1", { node: "a" }), pod("web-2", { node: "a" }), pod("web-3", { node: "b" })];
  const lines: string[][] = [];
  const output = { log: (...words: string[]) => lines.push(words) };
  // oxlint-disable-next-line no-implied-eval, no-new-func -- the code of the page
  new Function("trimtab", "pods", "console", body)(trimtab, pods, output);
  expect(new Set(lines.map(([name]) => name))).toEqual(new Set(["web-1", "web-2"]));
});

test("it names the published subpaths, and no others", () => {
  const named = [...page.matchAll(/`(trimtab(?:\/[a-z/]+)?)`/g)].map(([, name]) => name);
  const published = Object.keys(manifest.exports)
    .filter((name) => name !== "./package.json")
    .map((name) => path.posix.join("trimtab", name));
  expect(new Set(named)).toEqual(new Set(published));
});

test("every flag it names is one", () => {
  const flags = [...page.matchAll(/`trimtab up --([a-z-]+)/g)].map(([, name]) => name ?? "");
  expect(flags.filter((name) => !(name in upFlags))).toEqual([]);
});

test("every file it links to exists", () => {
  const links = [...page.matchAll(/\]\(([\w./-]+)\)/g)].map(([, link]) => link ?? "");
  const root = new URL("../../", import.meta.url);
  expect(links.filter((link) => !existsSync(new URL(link, root)))).toEqual([]);
});

const kubectl = findKubectls()[0];
const reason = kubectl === undefined ? " (skipped: no kubectl on the PATH or in TRIMTAB_KUBECTL)" : "";

describe.skipIf(kubectl === undefined)(`its kubectl commands, against trimtab up${reason}`, () => {
  const stop = new AbortController();
  const folder = mkdtempSync(path.join(tmpdir(), "trimtab-readme-"));
  const kubeconfig = path.join(folder, "kubeconfig");
  const env = {
    HOME: folder,
    KUBECONFIG: kubeconfig,
    PATH: `${path.dirname(kubectl?.program ?? "")}${path.delimiter}${process.env["PATH"] ?? ""}`,
  };
  let up: ReturnType<typeof runTrimtab>;

  beforeAll(async () => {
    up = runTrimtab(["up", "--port=0", `--kubeconfig=${kubeconfig}`], stop.signal);
    await new Promise<void>((resolve, reject) => {
      up.onPrint((text) => text.includes(`export KUBECONFIG=${kubeconfig}`) && resolve());
      up.ended.then(() => reject(new Error(`it ended: ${up.printed()}`)), reject);
    });
  });
  afterAll(async () => {
    stop.abort();
    expect(await up.ended).toBe(0);
    rmSync(folder, { recursive: true, force: true });
  });

  const run = async (line: string) => (await promisify(execFile)("sh", ["-c", line], { env })).stdout;

  /** Runs a command that does not end by itself until it has printed what is expected. */
  async function watch(line: string, isSeen: (printed: string) => boolean): Promise<void> {
    const child = spawn("sh", ["-c", `exec ${line}`], { env });
    const closed = once(child, "close");
    let printed = "";
    for await (const chunk of child.stdout.setEncoding("utf8")) {
      printed += String(chunk);
      if (isSeen(printed)) break;
    }
    child.kill("SIGINT");
    await closed;
    if (!isSeen(printed)) throw new Error(`${line} printed only: ${printed}`);
  }

  const shownDeletion = codeBlocks(page).find(({ language }) => language === "text")?.text ?? "";

  test("do what it says", { timeout: 60_000 }, async () => {
    const lines = shellCommands(page).filter((line) => line.startsWith("kubectl "));
    const inProse = [...page.matchAll(/`(kubectl get --raw '[^']+')`/g)].map(([, line]) => line ?? "");
    const running = (printed: string) => new Set(printed.match(/^web-\S+ +1\/1 +Running/gm)).size === 6;
    const printed: string[] = [];
    for (const line of [...lines, ...inProse]) {
      if (line.endsWith("--watch")) await watch(line, running);
      else printed.push(await run(line));
      if (line.startsWith("kubectl scale"))
        await run("kubectl wait --for=jsonpath='{.status.replicas}'=3 deployment/web --timeout=30s");
    }
    const [nodes, , , , , decisions, placements] = printed;
    expect(nodes?.trim().split("\n")).toHaveLength(1 + 12);
    const describing = lines.find((line) => line.startsWith("kubectl describe")) ?? "";
    const deletions = async () => (await run(describing)).match(/Deleted pod: web-\S+ \(\S+: .*\)/g);
    await expect.poll(deletions, { timeout: 30_000 }).toHaveLength(3);
    expect((await deletions())?.filter((deletion) => !isAsShown(shownDeletion, deletion))).toEqual([]);
    expect(JSON.parse(decisions ?? "")).toMatchObject({ removals: [{ removing: 3, of: 6 }] });
    expect(placements).toContain("web-");
  });
});

test("every annotation for simulated Pods that it names is known", () => {
  const [, section = ""] = page.split("## Controlling simulated Pods\n");
  const text = section.split("\n## ")[0] ?? "";
  const named = [...text.matchAll(/`(?:sim\.trimtab\.dev\/)?(\w+)(?:: "?([^"`]+)"?)?`/g)];
  const annotations = named.map(([, name = "", value = ""]) => [`sim.trimtab.dev/${name}`, value] as const);
  expect(annotations.length).toBeGreaterThan(5);
  const { problems } = readPodBehaviour(pod("web", { annotations: Object.fromEntries(annotations) }));
  expect(problems.filter((problem) => problem.includes("is not known"))).toEqual([]);
});
