import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { pods } from "../../../api/resources.ts";
import { formatTime } from "../../../api/time.ts";
import { scriptedServer } from "../../../testing/scripted-server.ts";
import { VirtualClock } from "../../clock/virtual-clock.ts";
import { WallClock } from "../../clock/wall-clock.ts";
import { execIdentity } from "./renewed-identity.ts";
import { type ExecCredential, type ExecPlugin, runExecPlugin } from "./exec-plugin.ts";
import { HttpsClient } from "../http/https-client.ts";

const never = new AbortController().signal;

const apiVersion = "client.authentication.k8s.io/v1";

function pluginOf(command: string, fields: Partial<ExecPlugin> = {}): ExecPlugin {
  return { apiVersion, command, args: [], env: {}, installHint: undefined, cluster: undefined, ...fields };
}

/** A plugin that is this script, which finds what it is told in `info`. */
function scripted(script: string, fields: Partial<ExecPlugin> = {}): ExecPlugin {
  const preamble = "const info = JSON.parse(process.env.KUBERNETES_EXEC_INFO);";
  const print = "const print = (status) => console.log(JSON.stringify({ ...info, status }));";
  return pluginOf(process.execPath, { args: ["-e", `${preamble}${print}${script}`], ...fields });
}

const run = (plugin: ExecPlugin) => runExecPlugin(plugin, new AbortController().signal);

test("a plugin is told what it may know, without a terminal, and says who we are", async () => {
  const plugin = scripted(
    "print({ token: JSON.stringify([info.spec, process.env.REGION, process.stdin.isTTY ?? false]) })",
    { env: { REGION: "here" }, cluster: { server: "https://api" } },
  );
  expect(JSON.parse((await run(plugin)).token ?? "")).toEqual([
    { interactive: false, cluster: { server: "https://api" } },
    "here",
    false,
  ]);
});

test.for([
  {
    name: "is not there",
    plugin: pluginOf("no-such-plugin", { installHint: "get it from example.com\n" }),
    says: "the credential plugin no-such-plugin is not there; get it from example.com",
  },
  {
    name: "fails",
    plugin: scripted("console.error('log in first\\nmore'); process.exit(7)"),
    says: /ended with exit code 7: log in first$/,
  },
  {
    name: "prints something else",
    plugin: scripted("console.log('hunter2')"),
    says: /printed no ExecCredential$/,
  },
  {
    name: "speaks another version",
    plugin: scripted("info.apiVersion = 'v0'; print({ token: 'hunter2' })"),
    says: /printed an ExecCredential of "v0", not of client.authentication.k8s.io\/v1$/,
  },
  { name: "has no status", plugin: scripted("print(undefined)"), says: /without status$/ },
  { name: "has nothing", plugin: scripted("print({})"), says: /neither a token nor a client certificate$/ },
  {
    name: "has half a certificate",
    plugin: scripted("print({ clientCertificateData: 'x' })"),
    says: /a client certificate without its key/,
  },
  {
    name: "never stops printing",
    plugin: scripted("process.stdout.write('x'.repeat(2 ** 21))"),
    says: /failed \(ERR_CHILD_PROCESS_STDIO_MAXBUFFER\)$/,
  },
])("a plugin that $name is a sentence", async ({ plugin, says }) => {
  const problem = await run(plugin).catch((error: unknown) => (error instanceof Error ? error.message : ""));
  expect(problem).toMatch(says);
  expect(problem).not.toContain("hunter2");
});

test("credentials of a plugin are kept until they expire, or until they are refused, but not asked for all the time", async () => {
  const clock = new VirtualClock();
  let runs = 0;
  let expires: string | undefined = formatTime(clock.now() + 60_000);
  const answer = async (): Promise<ExecCredential> => ({
    token: String(++runs),
    certificate: undefined,
    key: undefined,
    expirationTimestamp: expires,
  });
  const own = { certificate: undefined, key: undefined };
  const identity = execIdentity({ plugin: pluginOf("x"), own, clock, run: answer });
  const current = () => identity.current({ signal: never });

  expect(await Promise.all([current(), current()])).toMatchObject([
    { authorization: "Bearer 1" },
    { authorization: "Bearer 1" },
  ]);
  await clock.advance(59_999);
  expect(await current()).toMatchObject({ authorization: "Bearer 1" });
  expires = undefined;
  await clock.advance(1);
  const second = await current();
  expect(second).toMatchObject({ authorization: "Bearer 2" });

  expect(identity.refused(second)).toBe(false);
  await clock.advance(10_000);
  expect(identity.refused(second)).toBe(true);
  const third = await current();
  expect(third).toMatchObject({ authorization: "Bearer 3" });
  // Another request was sent with the second before it was known to be refused.
  expect(identity.refused(second)).toBe(true);
  expect(await current()).toBe(third);
});

test("a plugin that hangs is ended after a minute", async () => {
  const clock = new VirtualClock();
  const hangs = (_: ExecPlugin, signal: AbortSignal) =>
    new Promise<never>((_resolve, reject) => {
      signal.addEventListener("abort", () => reject(new Error("killed")));
    });
  const own = { certificate: undefined, key: undefined };
  const identity = execIdentity({ plugin: pluginOf("aws"), own, clock, run: hangs });
  const asked = identity.current({ signal: never }).catch((error: unknown) => error);
  await clock.advance(60_000);
  expect(await asked).toMatchObject({ message: "the credential plugin aws: no credentials within 60 s" });
});

test("nobody waits for a plugin longer than they want, and it ends with the client", async () => {
  const ended: unknown[] = [];
  const hangs = (_: ExecPlugin, signal: AbortSignal) =>
    new Promise<never>((_resolve, reject) => {
      signal.addEventListener("abort", () => {
        ended.push(signal.reason);
        reject(new Error("killed"));
      });
    });
  const own = { certificate: undefined, key: undefined };
  const identity = execIdentity({ plugin: pluginOf("aws"), own, clock: new VirtualClock(), run: hangs });
  const impatient = new AbortController();
  const asked = identity.current(impatient).catch((error: unknown) => error);
  const patient = identity.current({ signal: never }).catch((error: unknown) => error);
  impatient.abort(new Error("enough"));
  expect(await asked).toMatchObject({ message: "enough" });
  expect(ended).toEqual([]);
  identity.close();
  expect(await patient).toMatchObject({ message: "the client is closed" });
  expect(ended).toHaveLength(1);
});

test("requests carry the token of a plugin, as the kubeconfig's user", async () => {
  const folder = mkdtempSync(path.join(tmpdir(), "trimtab-exec-"));
  const command = path.join(folder, "login");
  const credential = JSON.stringify({ apiVersion, kind: "ExecCredential", status: { token: "fresh" } });
  writeFileSync(command, `#!/bin/sh\necho '${credential}'\n`);
  chmodSync(command, 0o700);
  const server = await scriptedServer(({ headers }, response) =>
    response.end(JSON.stringify({ items: [], metadata: { resourceVersion: headers.authorization } })),
  );
  const client = new HttpsClient({
    connection: {
      server: server.url,
      credential: { type: "exec", plugin: pluginOf(command) },
      tls: { skipVerify: false },
      namespace: "default",
    },
    clock: new WallClock(),
  });
  onTestFinished(async () => {
    await client.close();
    await server.close();
    rmSync(folder, { recursive: true });
  });
  expect(await client.list(pods, {})).toMatchObject({ resourceVersion: "Bearer fresh" });
});
