import { execFile, spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from "vitest";
import { parse } from "yaml";
import { httpsCaller, type HttpsCaller } from "../https-caller.ts";
import { configMaps } from "./fixture.ts";

const repository = fileURLToPath(new URL("../..", import.meta.url));
// Within the repository, where its dependencies are found.
const built = path.join(repository, ".build", "memory-test");
const megabyte = "x".repeat(1_000_000);
const body = (name: string, text = megabyte) => JSON.stringify({ metadata: { name }, data: { text } });

interface Kubeconfig {
  readonly clusters: readonly { readonly cluster: Readonly<Record<string, string>> }[];
  readonly users: readonly { readonly user: { readonly token: string } }[];
}

let folder: string;
let caller: HttpsCaller;
beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), "trimtab-memory-"));
  const bundle = path.join(repository, "scripts/bundle-program.mjs");
  await promisify(execFile)(process.execPath, [bundle, built]);
}, 300_000);
afterAll(() => {
  for (const made of [folder, built]) rmSync(made, { recursive: true, force: true });
});

/** Starts `trimtab up` in a process with 300 MB for its objects. */
beforeEach(async () => {
  const kubeconfig = path.join(folder, "kubeconfig");
  const main = path.join(built, "main.js");
  const child = spawn(process.execPath, [
    "--max-old-space-size=300",
    main,
    "up",
    "--port=0",
    `--kubeconfig=${kubeconfig}`,
  ]);
  const ended = new Promise<number | null>((resolve) => child.once("exit", resolve));
  onTestFinished(async () => {
    caller.close();
    child.kill("SIGINT");
    // It did not end by itself before: then there would be a signal instead of a code.
    expect(await ended).toBe(0);
  });
  await new Promise((resolve) => child.stdout.once("data", resolve));
  const { clusters, users } = parse(readFileSync(kubeconfig, "utf8")) as Kubeconfig;
  const cluster = clusters[0]?.cluster ?? {};
  const ca = Buffer.from(cluster["certificate-authority-data"] ?? "", "base64").toString();
  caller = httpsCaller({ url: cluster["server"] ?? "", ca, token: users[0]?.user.token ?? "" });
});

test("a ConfigMap of a megabyte can be rewritten for ever", async () => {
  expect((await caller.call(`POST ${configMaps}`, { body: body("a") })).code).toBe(201);
  for (let round = 0; round < 500; round++) {
    const { code } = await caller.call(`PUT ${configMaps}/a`, { body: body("a", `${round}${megabyte}`) });
    expect(code).toBe(200);
  }
});

test("more ConfigMaps than memory holds are refused, the others can be read, and deletes make room", async () => {
  let stored = 0;
  let code = 201;
  for (; code === 201; stored++)
    ({ code } = await caller.call(`POST ${configMaps}`, { body: body(`c${stored}`) }));
  expect(code).toBe(507);
  expect(stored).toBeGreaterThan(100);
  expect((await caller.call(`GET ${configMaps}/c1`)).code).toBe(200);
  expect((await caller.call(`GET ${configMaps}?limit=50`)).code).toBe(200);
  expect((await caller.call(`DELETE ${configMaps}`)).code).toBe(200);
  // The memory is free when it was collected, at most every second.
  for (let attempt = 0; code !== 201 && attempt < 1000; attempt++)
    ({ code } = await caller.call(`POST ${configMaps}`, { body: body("again") }));
  expect(code).toBe(201);
});
