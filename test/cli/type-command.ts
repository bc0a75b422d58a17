import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { onTestFinished } from "vitest";
import { allCommands } from "../../src/cli/commands.ts";
import { runCommand } from "../../src/cli/run-command.ts";
import { HttpsClient } from "../../src/machinery/client/http/https-client.ts";
import { loadKubeconfig } from "../../src/machinery/client/connection/kubeconfig.ts";
import { WallClock } from "../../src/machinery/clock/wall-clock.ts";

const commands = await allCommands();

/** A folder of one's own, gone after the test. */
export function folderWith(files: Readonly<Record<string, string>> = {}): string {
  const folder = mkdtempSync(path.join(tmpdir(), "trimtab-up-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const [name, text] of Object.entries(files)) writeFileSync(path.join(folder, name), text);
  return folder;
}

/** Types `trimtab WORDS` and does not wait for the end. */
export function type(...words: readonly string[]) {
  const [out, err]: [string[], string[]] = [[], []];
  const interrupt = new AbortController();
  const printed = new EventTarget();
  const code = runCommand(commands, words, {
    out: (text) => {
      out.push(text);
      printed.dispatchEvent(new Event("out"));
    },
    err: (text) => err.push(text),
    interrupted: interrupt.signal,
  });
  const ready = new Promise<void>((resolve) =>
    printed.addEventListener("out", () => resolve(), { once: true }),
  );
  return { code, out, err, ready, interrupt: () => interrupt.abort(new Error("SIGINT")) };
}

/** Types `trimtab WORDS` and gives what came of it. */
export async function typed(...words: readonly string[]) {
  const { code, out, err } = type(...words);
  return { code: await code, out: out.join("\n"), err: err.join("\n") };
}

/** Starts a cluster with these files as manifests, and stops it after the test. */
export async function up(files: Readonly<Record<string, string>> = {}, ...words: readonly string[]) {
  const folder = folderWith(files);
  const kubeconfig = path.join(folder, "kubeconfig");
  const manifests = Object.keys(files).map((file) => path.join(folder, file));
  const running = type("up", "--port=0", `--kubeconfig=${kubeconfig}`, ...words, ...manifests);
  await running.ready;
  onTestFinished(async () => {
    running.interrupt();
    await running.code;
  });
  return { ...running, kubeconfig, client: clientOf(kubeconfig) };
}

/** A client that has nothing but the file. */
export function clientOf(kubeconfig: string, context?: string): HttpsClient {
  const loaded = loadKubeconfig({ paths: [kubeconfig], context });
  if (!loaded.ok) throw new Error("the kubeconfig cannot be read");
  const client = new HttpsClient({ connection: loaded.connection, clock: new WallClock() });
  onTestFinished(() => client.close());
  return client;
}
