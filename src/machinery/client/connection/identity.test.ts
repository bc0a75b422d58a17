import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import type { TLSSocket } from "node:tls";
import { expect, onTestFinished, test } from "vitest";
import { pods } from "../../../api/resources.ts";
import { scriptedServer } from "../../../testing/scripted-server.ts";
import { createCertificateAuthority, issueCertificate } from "../../certificates/certificate.ts";
import { VirtualClock } from "../../clock/virtual-clock.ts";
import { WallClock } from "../../clock/wall-clock.ts";
import { seededRandom } from "../../random/random.ts";
import type { Connection, Credential } from "./connection.ts";
import { HttpsClient } from "../http/https-client.ts";
import { connectionIdentity } from "./identity.ts";
import type { TextFile } from "./text-file.ts";

const never = new AbortController().signal;

const connectionWith = (credential: Credential): Connection => ({
  server: "https://api",
  credential,
  tls: { skipVerify: false },
  namespace: "default",
});

test.for([
  { credential: { type: "none" }, want: undefined },
  { credential: { type: "token", token: "t" }, want: "Bearer t" },
  { credential: { type: "basic", username: "jane", password: "ü" }, want: "Basic amFuZTrDvA==" },
] as const)("a credential of type $credential.type is what requests carry", async ({ credential, want }) => {
  const identity = connectionIdentity({ connection: connectionWith(credential), clock: new VirtualClock() });
  expect((await identity.current({ signal: never })).authorization).toBe(want);
});

test("a token file is read again after a minute, and the old token serves while it cannot be", async () => {
  const clock = new VirtualClock();
  let file: TextFile = { ok: true, text: "first\n" };
  const connection = connectionWith({ type: "token-file", path: "/t" });
  const identity = connectionIdentity({ connection, clock, readFile: () => file });
  const token = async () => (await identity.current({ signal: never })).authorization;
  expect(await token()).toBe("Bearer first");
  file = { ok: true, text: "second" };
  await clock.advance(59_999);
  expect(await token()).toBe("Bearer first");
  await clock.advance(1);
  expect(await token()).toBe("Bearer second");
  file = { ok: false, missing: true, reason: "no such file" };
  await clock.advance(60_000);
  expect(await token()).toBe("Bearer second");
});

test("a token file that never could be read is an error", async () => {
  const readFile = (): TextFile => ({ ok: false, missing: true, reason: "no such file" });
  const connection = connectionWith({ type: "token-file", path: "/t" });
  const identity = connectionIdentity({ connection, clock: new VirtualClock(), readFile });
  await expect(identity.current({ signal: never })).rejects.toThrow("token file /t: no such file");
});

function newFolder(): string {
  const folder = mkdtempSync(path.join(tmpdir(), "trimtab-identity-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

test("a token that has expired is read anew and the request sent again, once", async () => {
  const file = path.join(newFolder(), "token");
  writeFileSync(file, "old");
  const seen: (string | undefined)[] = [];
  const server = await scriptedServer(({ headers }, response) => {
    seen.push(headers.authorization);
    if (headers.authorization === "Bearer new") response.end('{"items":[]}');
    else response.writeHead(401).end('{"kind":"Status","code":401,"reason":"Unauthorized"}');
  });
  const client = new HttpsClient({
    connection: { ...connectionWith({ type: "token-file", path: file }), server: server.url },
    clock: new VirtualClock(),
  });
  onTestFinished(async () => {
    await client.close();
    await server.close();
  });
  await expect(client.list(pods, {})).rejects.toMatchObject({ code: 401 });
  expect(seen).toEqual(["Bearer old"]);
  await expect(client.list(pods, {})).rejects.toMatchObject({ code: 401 });
  writeFileSync(file, "new");
  expect(await client.list(pods, {})).toMatchObject({ items: [] });
  expect(seen).toEqual(["Bearer old", "Bearer old", "Bearer old", "Bearer new"]);
});

test("a client certificate that was replaced is used for new connections, but not half of one", async () => {
  const folder = newFolder();
  const files = { certificate: path.join(folder, "tls.crt"), key: path.join(folder, "tls.key") };
  const random = seededRandom("rotation");
  const now = new WallClock().now();
  const authority = createCertificateAuthority(now, random);
  const issue = (commonName: string, use: "server" | "client") =>
    issueCertificate(authority, { subject: { commonName }, use, hosts: ["127.0.0.1"], now, random });
  const serving = issue("server", "server");
  const names: string[] = [];
  const server = await scriptedServer(
    ({ socket }, response) => {
      names.push(String((socket as TLSSocket).getPeerCertificate().subject.CN));
      response.end('{"items":[]}');
    },
    { cert: serving.certificate, key: serving.key, ca: authority.certificate, requestCert: true },
  );
  const clock = new VirtualClock();
  const [first, second] = [issue("first", "client"), issue("second", "client")];
  writeFileSync(files.certificate, first.certificate);
  writeFileSync(files.key, first.key);
  const client = new HttpsClient({
    connection: {
      ...connectionWith({ type: "none" }),
      server: server.url,
      tls: { ca: authority.certificate, ...first, files, skipVerify: false },
    },
    clock,
  });
  onTestFinished(async () => {
    await client.close();
    await server.close();
  });
  const listAfter = async (minutes: number) => {
    await clock.advance(minutes * 60_000);
    await client.list(pods, {});
  };
  await listAfter(0);
  writeFileSync(files.certificate, second.certificate);
  await listAfter(1);
  writeFileSync(files.key, second.key);
  await listAfter(0);
  await listAfter(1);
  expect(names).toEqual(["first", "first", "first", "second"]);
});
