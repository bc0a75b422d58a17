import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { expect, onTestFinished, test } from "vitest";
import { perTier } from "../tier.ts";
import { ask, candidates } from "./ask.ts";
import { check, findings } from "./checked-pickers.ts";

/** What depends on how connections arrive does not show in every round. */
const rounds = perTier({ unit: 1, full: 10 });

const page = readFileSync(new URL("../../docs/pod-picker.md", import.meta.url), "utf8");

/** The example in a language, changed to listen on a free port, to print it, and to know some Pods. */
function exampleIn(language: string, replaced: readonly (readonly [string, string])[]): string {
  const [, block = ""] = page.split(`\n\`\`\`${language}\n`);
  let [code = ""] = block.split("\n```\n");
  for (const [text, other] of replaced) {
    expect(code).toContain(text);
    code = code.replace(text, other);
  }
  return code;
}

const examples = [
  {
    name: "Node",
    program: process.execPath,
    code: exampleIn("js", [
      ["new Map()", 'new Map([["a", 3], ["b", 0], ["c", 1], ["d", 1]])'],
      ["picker.listen(8080)", 'picker.listen(0, "127.0.0.1", () => console.log(picker.address().port))'],
    ]),
    run: (code: string) => ["--input-type=module", "--eval", code],
  },
  {
    name: "Python",
    program: "python3",
    code: exampleIn("python", [
      ["tasks_of = {}", 'tasks_of = {"a": 3, "b": 0, "c": 1, "d": 1}'],
      ['("", 8080), Picker)', '("127.0.0.1", 0), Picker)\nprint(server.server_port, flush=True)'],
    ]),
    run: (code: string) => ["-c", code],
  },
];

const isInstalled = (program: string) => spawnSync(program, ["--version"]).status === 0;

for (const { name, program, code, run } of examples) {
  test.skipIf(!isInstalled(program))(
    `the example in ${name} answers as docs/pod-picker.md says`,
    async () => {
      const child = spawn(program, run(code), {
        env: { ...process.env, TOKEN: "sesame" },
        stdio: ["ignore", "pipe", "ignore"],
      });
      const closed = once(child, "close");
      onTestFinished(async () => {
        child.kill();
        await closed;
      });
      const [line] = (await once(createInterface(child.stdout), "line")) as [string];
      const headers = [{ name: "authorization", value: "Bearer sesame" }];
      expect(await ask({ protocol: "http", port: Number(line), headers, candidates })).toMatchObject({
        kind: "answered",
        attempts: 1,
        answer: { chosen: new Set(["b"]), tied: new Set(["c", "d"]) },
      });
      expect(await ask({ protocol: "http", port: Number(line) })).toMatchObject({
        failure: { class: "Refused", code: "HTTP 401" },
      });
      const url = `http://127.0.0.1:${line}`;
      for (let round = 0; round < rounds; round++)
        expect(findings(await check(url, { headers: [["authorization", "Bearer sesame"]] }))).toEqual({});
    },
  );
}
