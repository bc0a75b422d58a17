import { describe, expect, onTestFinished, test, vi } from "vitest";
import { secrets } from "../../src/api/resources.ts";
import {
  createCertificateAuthority,
  issueCertificate,
} from "../../src/machinery/certificates/certificate.ts";
import { WallClock } from "../../src/machinery/clock/wall-clock.ts";
import { seededRandom } from "../../src/machinery/random/random.ts";
import { emptyAllowList } from "../../src/picker/addresses/address-policy.ts";
import type { Protocol } from "../../src/picker/picker-settings.ts";
import { ScriptedApi } from "../../src/testing/scripted-api.ts";
import { apiFailure } from "../../src/machinery/client/api-error.ts";
import { ask, type AskOptions, candidates } from "./ask.ts";
import { instantClock } from "./instant-clock.ts";
import type { Behaviour, PickerScript, StartPicker } from "./scripted-picker.ts";

const answer: Behaviour = { does: "answer", chosen: ["a"], tied: ["b"] };
const nothingIgnored = { unknown: 0, duplicate: 0, inBothLists: 0 };
const ranked = { kind: "Ranked", chosen: new Set(["a"]), tied: new Set(["b"]), ignored: nothingIgnored };

/** An operation that signals its start and never ends. */
function endless() {
  let tell: () => void = () => undefined;
  const begun = new Promise<void>((resolve) => (tell = resolve));
  const begin = () => {
    tell();
    return new Promise<never>(() => undefined);
  };
  return { begun, begin };
}

/** The behaviour of callPicker in either protocol. */
export function describeCallPicker(protocol: Protocol, startPicker: StartPicker): void {
  const start: StartPicker = async (script, tls) => {
    const picker = await startPicker(script, tls);
    onTestFinished(() => picker.close());
    return picker;
  };
  const askOf = (port: number, options: Partial<AskOptions> = {}) => ask({ protocol, port, ...options });
  const scripted = (...behaviours: readonly Behaviour[]): PickerScript => {
    return (_, call) => behaviours[Math.min(call, behaviours.length) - 1] ?? { does: "hang" };
  };

  test("a picker receives the request, and its answer is the outcome", async () => {
    const picker = await start(() => answer);
    expect(await askOf(picker.port)).toEqual({ kind: "answered", attempts: 1, answer: ranked });
    expect(picker.received).toEqual([expect.objectContaining({ requested: 2, candidates })]);
    expect(picker.received[0]?.headers["user-agent"]).toMatch("trimtab-pod-picker");
    expect(picker.received[0]?.headers["host"]).toBe(`127.0.0.1:${picker.port}`);
  });

  test("names that are not candidates are ignored and counted", async () => {
    const names = [
      "a",
      "other/a",
      "__proto__",
      "constructor",
      ...Array.from({ length: 9996 }, (_, i) => `n${i}`),
    ];
    const picker = await start(() => ({ does: "answer", chosen: names, tied: ["b", "b", "a"] }));
    const ignored = { unknown: 9999, duplicate: 1, inBothLists: 1 };
    expect(await askOf(picker.port)).toMatchObject({ kind: "answered", answer: { ...ranked, ignored } });
  });

  test("an answer without names is empty", async () => {
    const picker = await start(() => ({ does: "answer" }));
    expect(await askOf(picker.port)).toMatchObject({ kind: "answered", answer: { kind: "Empty" } });
  });

  describe("attempts", () => {
    test("a busy picker is called again after a delay", async () => {
      const clock = instantClock();
      const picker = await start(scripted({ does: "shed" }, { does: "shed" }, answer));
      expect(await askOf(picker.port, { clock })).toMatchObject({ kind: "answered", attempts: 3 });
      expect(clock.waited()).toBeGreaterThanOrEqual(25 + 50);
      expect(clock.waited()).toBeLessThan(75 + 150);
    });

    test("a picker that stays busy is called at most maxRetries times again", async () => {
      const picker = await start(scripted({ does: "shed" }));
      expect(await askOf(picker.port, { maxRetries: 2 })).toMatchObject({
        kind: "failed",
        attempts: 3,
        failure: { class: "Refused", code: protocol === "http" ? "HTTP 503" : "gRPC UNAVAILABLE" },
      });
    });

    test("a picker that refuses is called once", async () => {
      const picker = await start(scripted({ does: "deny" }, answer));
      expect(await askOf(picker.port)).toMatchObject({ attempts: 1, failure: { class: "Refused" } });
    });

    test("retries end when the next one would exceed the timeout", async () => {
      const clock = instantClock();
      const picker = await start(scripted({ does: "shed" }));
      const found = await askOf(picker.port, { maxRetries: 10, clock });
      expect(found).toMatchObject({ kind: "failed", failure: { class: "Refused" } });
      expect(found.attempts).toBeLessThan(8);
      expect(clock.waited()).toBeLessThan(1000);
    });

    test("an answer that is not UTF-8 is malformed and retried", async () => {
      const garbling = await start(scripted({ does: "garble" }));
      expect(await askOf(garbling.port, { maxRetries: 1 })).toMatchObject({
        attempts: 2,
        failure: { class: "Malformed" },
      });
      const mending = await start(scripted({ does: "garble" }, answer));
      expect(await askOf(mending.port)).toMatchObject({ kind: "answered", attempts: 2, answer: ranked });
    });

    test("a refused connection is a failed connection after all retries", async () => {
      const picker = await startPicker(() => answer);
      await picker.close();
      expect(await askOf(picker.port)).toMatchObject({ attempts: 4, failure: { class: "ConnectionFailed" } });
    });

    test("every attempt is reported with its result", async () => {
      const told: string[] = [];
      const picker = await start(scripted({ does: "shed" }, answer));
      await askOf(picker.port, { attempted: (by, result) => void told.push(`${by} ${result}`) });
      expect(told).toEqual([`${protocol} Refused`, `${protocol} Answered`]);
    });
  });

  describe("limits", () => {
    test("a picker that does not answer is abandoned at the timeout", async () => {
      const clock = instantClock();
      const picker = await start(scripted({ does: "hang" }));
      const finding = askOf(picker.port, { clock });
      await picker.asked(1);
      clock.expire();
      expect(await finding).toMatchObject({ attempts: 1, failure: { class: "Timeout" } });
    });

    test("a cancelled call ends at once", async () => {
      const ending = new AbortController();
      const picker = await start(scripted({ does: "hang" }));
      const finding = askOf(picker.port, { signal: ending.signal });
      await picker.asked(1);
      ending.abort(new Error("no longer needed"));
      expect(await finding).toMatchObject({ kind: "failed" });
    });

    test("a look-up that hangs ends at the timeout, without a connection", async () => {
      const clock = instantClock();
      const picker = await start(() => answer);
      const looking = endless();
      const finding = askOf(picker.port, { host: "slow.example.com", lookup: looking.begin, clock });
      await looking.begun;
      clock.expire();
      expect(await finding).toMatchObject({ attempts: 1, failure: { class: "Timeout" } });
      expect(picker.received).toEqual([]);
    });

    test("a reset connection is retried", async () => {
      const picker = await start(scripted({ does: "reset" }));
      const found = await askOf(picker.port, { maxRetries: 1 });
      expect(found).toMatchObject({ attempts: 2, failure: { class: "ConnectionFailed" } });
    });

    test("two mebibytes are too large and not retried", async () => {
      const picker = await start(scripted({ does: "flood", bytes: 2 * 1024 * 1024 }));
      expect(await askOf(picker.port)).toMatchObject({ attempts: 1, failure: { class: "TooLarge" } });
    });

    test("just under a mebibyte is read", async () => {
      const picker = await start(scripted({ does: "flood", bytes: 1024 * 1024 - 1024 }));
      expect(await askOf(picker.port)).toMatchObject({
        kind: "answered",
        answer: { ignored: { unknown: 1 } },
      });
    });
  });

  describe("addresses", () => {
    test("loopback is refused unless it is allowed, without a connection", async () => {
      const picker = await start(() => answer);
      const policy = { loopback: false, allowed: emptyAllowList };
      expect(await askOf(picker.port, { policy })).toMatchObject({
        attempts: 1,
        failure: { class: "AddressNotAllowed" },
      });
      expect(picker.received).toEqual([]);
    });

    test("the connection goes to the address that was checked; the name is not looked up again", async () => {
      const picker = await start(() => answer);
      const answers = [["127.0.0.1"], ["169.254.169.254"]];
      const lookup = () => Promise.resolve(answers.shift() ?? []);
      const found = await askOf(picker.port, { host: "rebinding.example.com", lookup });
      expect(found).toMatchObject({ kind: "answered" });
      expect(answers).toHaveLength(1);
      expect(picker.received[0]?.headers["host"]).toBe(`rebinding.example.com:${picker.port}`);
    });

    test("proxies of the environment are ignored", async () => {
      onTestFinished(() => void vi.unstubAllEnvs());
      for (const name of ["http_proxy", "HTTP_PROXY", "https_proxy", "grpc_proxy"])
        vi.stubEnv(name, "http://127.0.0.1:1");
      const picker = await start(() => answer);
      const lookup = () => Promise.resolve(["127.0.0.1"]);
      const found = await askOf(picker.port, { host: "picker.example.com", lookup });
      expect(found).toMatchObject({ kind: "answered", attempts: 1 });
    });

    test("one forbidden address among several refuses the host", async () => {
      const picker = await start(() => answer);
      const lookup = () => Promise.resolve(["127.0.0.1", "169.254.169.254"]);
      const found = await askOf(picker.port, { host: "picker.example.com", lookup });
      expect(found).toMatchObject({ failure: { class: "AddressNotAllowed" } });
    });

    test("a name that does not resolve is retried and then abandoned", async () => {
      const lookup = () => Promise.reject(new Error("ENOTFOUND"));
      const found = await askOf(1, { host: "nowhere.example.com", lookup, maxRetries: 1 });
      expect(found).toMatchObject({ attempts: 2, failure: { class: "HostUnresolved" } });
    });
  });

  describe("certificates", () => {
    const now = new WallClock().now();
    const random = seededRandom("certificates");
    const authority = createCertificateAuthority(now, random.fork("authority"));
    const certificateFor = (host: string) =>
      issueCertificate(authority, {
        subject: { commonName: host },
        use: "server",
        hosts: [host],
        now,
        random: random.fork(host),
      });
    const lookup = () => Promise.resolve(["127.0.0.1"]);
    const host = "picker.example.com";
    const ca = authority.certificate;

    test("a picker whose certificate is valid for its host is called", async () => {
      const picker = await start(() => answer, certificateFor(host));
      expect(await askOf(picker.port, { tls: true, host, lookup, ca })).toMatchObject({ kind: "answered" });
    });

    test.for([
      { name: "is for another host", issued: "other.example.com", trusted: ca },
      { name: "is signed by an unknown CA", issued: host, trusted: undefined },
    ])("a certificate that $name is final", async ({ issued, trusted }) => {
      const picker = await start(() => answer, certificateFor(issued));
      const found = await askOf(picker.port, { tls: true, host, lookup, ca: trusted });
      expect(found).toMatchObject({ attempts: 1, failure: { class: "CertificateRejected" } });
      expect(picker.received).toEqual([]);
    });
  });

  describe("headers", () => {
    const token = (key: string, optional?: boolean) => [
      {
        name: "x-token",
        valueFrom: { secretKeyRef: { name: "tokens", key, ...(optional && { optional }) } },
      },
    ];
    async function withSecret(data: Readonly<Record<string, string>>) {
      const client = new ScriptedApi();
      await client.create(secrets, { metadata: { namespace: "shop", name: "tokens" }, data });
      return client;
    }
    const good = Buffer.from("sesame").toString("base64");

    test("plain values and values from Secrets are sent; each Secret is read once", async () => {
      const client = await withSecret({ token: good });
      const picker = await start(scripted({ does: "shed" }, answer));
      const headers = [...token("token"), { name: "X-Plain", value: "p" }, { name: "x-empty" }];
      expect(await askOf(picker.port, { client, headers })).toMatchObject({ kind: "answered" });
      expect(picker.received[1]?.headers).toMatchObject({ "x-token": "sesame", "x-plain": "p" });
      expect(client.requests.filter(({ resource }) => resource === "secrets")).toHaveLength(2);
    });

    test("the request says whose Pods they are, and nobody can forge that", async () => {
      const picker = await start(() => ({ does: "answer", chosen: ["a"] }));
      const headers = [{ name: "Trimtab-Workload", value: "Deployment/another" }];
      expect(await askOf(picker.port, { headers })).toMatchObject({ kind: "answered" });
      expect(picker.received[0]?.headers).toMatchObject({
        "trimtab-namespace": "shop",
        "trimtab-workload": "Deployment/web",
      });
    });

    test("reserved headers cannot be replaced", async () => {
      const picker = await start(() => answer);
      const headers = [{ name: "User-Agent", value: "forged" }];
      expect(await askOf(picker.port, { headers })).toMatchObject({ kind: "answered" });
      expect(picker.received[0]?.headers["user-agent"]).not.toMatch("forged");
    });

    test("a header that the protocol forbids is a failure", async () => {
      const picker = await start(() => answer);
      const headers = [{ name: "keep-alive", value: "1" }];
      expect(await askOf(picker.port, { headers, maxRetries: 0 })).toMatchObject({ kind: "failed" });
    });

    test("an optional value that does not exist is left out", async () => {
      const picker = await start(() => answer);
      expect(await askOf(picker.port, { headers: token("token", true) })).toMatchObject({ kind: "answered" });
      expect(picker.received[0]?.headers).not.toHaveProperty("x-token");
    });

    test.for([
      { name: "does not exist", data: undefined, key: "token", failure: "SecretMissing" },
      { name: "has no such key", data: { other: good }, key: "token", failure: "SecretMissing" },
      {
        name: "has a line break",
        data: { token: Buffer.from("a\r\nb: c").toString("base64") },
        key: "token",
        failure: "InvalidHeader",
      },
      {
        name: "is too long for a header",
        data: { token: Buffer.alloc(9000, "x").toString("base64") },
        key: "token",
        failure: "InvalidHeader",
      },
      {
        name: "is not UTF-8",
        data: { token: Buffer.from([0xff, 0xfe]).toString("base64") },
        key: "token",
        failure: "InvalidHeader",
      },
    ])("a Secret that $name ends it without a call", async ({ data, key, failure }) => {
      const client = data === undefined ? new ScriptedApi() : await withSecret(data);
      const picker = await start(() => answer);
      const found = await askOf(picker.port, { client, headers: token(key) });
      expect(found).toMatchObject({ attempts: 1, failure: { class: failure } });
      expect(picker.received).toEqual([]);
    });

    test.for([
      { code: 401, reason: "Unauthorized" },
      { code: 403, reason: "Forbidden" },
    ])("a Secret that may not be read is final, optional or not: $code", async ({ code, reason }) => {
      const client = new ScriptedApi();
      client.failures.push(apiFailure(code, reason));
      const found = await askOf(1, { client, headers: token("token", true) });
      expect(found).toMatchObject({ attempts: 1, failure: { class: "SecretForbidden" } });
    });

    test("a read of a Secret that hangs ends at the timeout, without a connection", async () => {
      const clock = instantClock();
      const client = new ScriptedApi();
      const reading = endless();
      client.get = reading.begin;
      const picker = await start(() => answer);
      const finding = askOf(picker.port, { client, clock, headers: token("token", true) });
      await reading.begun;
      clock.expire();
      expect(await finding).toMatchObject({ attempts: 1, failure: { class: "Timeout" } });
      expect(picker.received).toEqual([]);
    });

    test("a failed read of a Secret is retried", async () => {
      const client = await withSecret({ token: good });
      client.failures.push(apiFailure(500, "InternalError"));
      const picker = await start(() => answer);
      const found = await askOf(picker.port, { client, headers: token("token") });
      expect(found).toMatchObject({ kind: "answered", attempts: 2 });
    });
  });
}
