import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { silentLogger } from "../../machinery/log/logger.ts";
import { createPicker } from "../../picker/kit/create-picker.ts";
import { runCommand } from "../run-command.ts";
import { picker } from "./picker.ts";

async function run(...words: readonly string[]) {
  const [printed, complaints]: [string[], string[]] = [[], []];
  const code = await runCommand([picker], ["picker", ...words], {
    out: (text) => printed.push(text),
    err: (text) => complaints.push(text),
    interrupted: new AbortController().signal,
  });
  return { code, text: printed.join("\n"), complaints };
}

/** A picker of the kit on this machine; returns its URL. */
async function startPicker({ token }: { readonly token?: string } = {}): Promise<string> {
  const kit = createPicker({
    score: (pod) => pod.length,
    log: silentLogger,
    timeoutMs: 30_000,
    ...(token !== undefined && { token }),
  });
  onTestFinished(() => kit.stop());
  const { url = "" } = await kit.listen({ httpPort: 0, host: "127.0.0.1" });
  return url;
}

/** A file that is there for one test. */
function fileOf(content: string): string {
  const folder = mkdtempSync(path.join(tmpdir(), "trimtab-picker-check-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = path.join(folder, "file");
  writeFileSync(file, content);
  return file;
}

test("picker check prints a line for each row of the contract, and exits with 0", async () => {
  const url = await startPicker();
  const { code, text, complaints } = await run("check", url, "--timeout=30s", "--candidates=a,bb,ccc");
  expect(complaints).toEqual([]);
  expect(code).toBe(0);
  expect(text).toContain("ok    only-candidates      Only candidates are named.");
  expect(text).toContain("warn  authentication       Callers without the token or certificate are refused.");
  expect(text).toMatch(/\n\d+ passed, 0 failed, 1 warning$/);
});

test("with --strict a warning is exit code 1", async () => {
  expect((await run("check", await startPicker(), "--timeout=30s", "--strict")).code).toBe(1);
});

test("picker check exits with 1 if a row fails, and says why", async () => {
  const { code, text } = await run("check", await startPicker({ token: "sesame" }));
  expect(code).toBe(1);
  expect(text).toContain("FAIL  answers");
  expect(text).toContain("it answered HTTP 401");
  expect(text).toContain("-     shape");
  expect(text).toMatch(/0 passed, 1 failed, 0 warnings, \d+ skipped/);
});

test("picker check says in one sentence that a picker is down", async () => {
  const kit = createPicker({ score: () => 0, log: silentLogger });
  const { url = "" } = await kit.listen({ httpPort: 0, host: "127.0.0.1" });
  await kit.stop();
  const { code, text } = await run("check", url);
  expect(code).toBe(1);
  expect(text).toMatch(/^http:\S+: there was no answer: .*; nothing else was checked$/);
});

test.for([
  { name: "a header", flags: () => ["--header", "Authorization: Bearer sesame"] },
  { name: "a file", flags: () => ["--token-file", fileOf("sesame\n")] },
])("picker check sends the token of $name", async ({ flags }) => {
  const url = await startPicker({ token: "sesame" });
  const { code, text } = await run("check", url, "--timeout=30s", "--strict", ...flags());
  expect({ code, text }).toMatchObject({
    code: 0,
    text: expect.stringMatching(/ 0 failed, 0 warnings$/) as string,
  });
});

test("picker check writes JSON", async () => {
  const { text } = await run("check", await startPicker({ token: "x" }), "-o", "json");
  const report = JSON.parse(text) as { readonly rows: readonly object[] };
  expect(report).toMatchObject({ counts: { fail: 1, pass: 0 } });
  expect(report.rows[0]).toMatchObject({ name: "answers", verdict: "fail", detail: "it answered HTTP 401" });
});

test("picker check writes JUnit", async () => {
  const { text } = await run("check", await startPicker(), "--timeout=30s", "-o", "junit");
  expect(text).toMatch(/^<\?xml version="1.0" encoding="UTF-8"\?>\n<testsuites tests="\d+" failures="0"/);
  expect(text).toContain('<testcase classname="picker.shape" name="The answer has chosen_pods');
  expect(text).toContain("<system-out>warning: it answers without a token or certificate");
  const refused = await run("check", await startPicker({ token: "x" }), "-o", "junit");
  expect(refused.text).toContain('<failure message="it answered HTTP 401"/>');
  expect(refused.text).toContain('<skipped message="the first question had no answer"/>');
});

test.for([
  { name: "nothing", words: [], want: "say what to check: trimtab picker check http://HOST:PORT/PATH" },
  { name: "no URL", words: ["check"], want: "say what to check" },
  {
    name: "a mistyped word",
    words: ["chek", "http://x"],
    want: 'unknown word "chek"; did you mean "check"?',
  },
  { name: "two URLs", words: ["check", "http://a", "http://b"], want: "there is one URL to check, not 2" },
  {
    name: "no URL at all",
    words: ["check", "localhost:80"],
    want: "the URL of a picker is http://HOST:PORT/PATH",
  },
  {
    name: "another scheme",
    words: ["check", "ftp://x/"],
    want: "the URL of a picker is http://HOST:PORT/PATH",
  },
  { name: "a path over gRPC", words: ["check", "grpc://x:1/pick"], want: "over gRPC has no path" },
  { name: "a password", words: ["check", "http://a:b@x/"], want: "no user, password or fragment" },
  {
    name: "a CA without TLS",
    words: ["check", "http://x/", "--server-name=y"],
    want: "a CA, a certificate or a server name needs https:// or grpcs://",
  },
  {
    name: "a missing file",
    words: ["check", "https://x/", "--ca=/no/ca"],
    want: "--ca /no/ca: no such file",
  },
  { name: "a bad header", words: ["check", "http://x/", "--header=x"], want: "--header must be NAME:VALUE" },
  {
    name: "a bad timeout",
    words: ["check", "http://x/", "--timeout=5"],
    want: "--timeout must be a duration",
  },
  {
    name: "one candidate",
    words: ["check", "http://x/", "--candidates=a"],
    want: "at least two Pods: a,b,c",
  },
  {
    name: "candidates twice",
    words: ["check", "http://x/", "--candidates=a,b", "--workload=deploy/web"],
    want: "--candidates and --workload exclude each other",
  },
  {
    name: "a kind without picker",
    words: ["check", "http://x/", "--workload=sts/web"],
    want: "--workload must be deploy/NAME or rs/NAME",
  },
  {
    name: "another format",
    words: ["check", "http://x/", "-o", "xml"],
    want: "--output must be one of text, json, junit",
  },
  {
    name: "too many Pods",
    words: ["check", "http://x/", "--large=1000000"],
    want: "--large must be a number from 2 to 5000",
  },
  {
    name: "a CA that is none",
    words: ["check", "grpcs://x:1", `--ca=${import.meta.filename}`],
    want: "--ca must be a file of certificates in PEM",
  },
  {
    name: "a certificate that is none",
    words: ["check", "grpcs://x:1", `--cert=${import.meta.filename}`, `--key=${import.meta.filename}`],
    want: "--cert and --key must be files of a certificate and its key in PEM",
  },
])("picker refuses $name with a sentence", async ({ words, want }) => {
  const { code, complaints } = await run(...words);
  expect(code).toBe(1);
  expect(complaints.join("\n")).toContain(want);
});
