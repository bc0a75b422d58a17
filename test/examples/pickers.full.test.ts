import { spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { createInterface } from "node:readline";
import { expect, onTestFinished, test } from "vitest";
import { programIn } from "../clients/tools.ts";
import { type BuiltTool, buildTool } from "../clients/tool-cache.ts";
import { check, findings } from "../picker/checked-pickers.ts";

const folderOf = (language: string) =>
  fileURLToPath(new URL(`../../examples/pickers/${language}`, import.meta.url));

interface Sample {
  readonly language: string;
  readonly protocol: "http" | "grpc";
  /** The command that prints the version of the language. */
  readonly version: readonly string[];
  readonly build: readonly (readonly string[])[];
  /** What runs it in the folder where it was built. */
  readonly command: (folder: string) => readonly string[];
}

const samples: readonly Sample[] = [
  {
    language: "node",
    protocol: "http",
    version: [process.execPath, "--version"],
    build: [],
    command: (folder) => [process.execPath, path.join(folder, "picker.mjs")],
  },
  {
    language: "python",
    protocol: "http",
    version: ["python3", "--version"],
    build: [],
    command: (folder) => ["python3", "-B", path.join(folder, "picker.py")],
  },
  {
    language: "go",
    protocol: "grpc",
    version: ["go", "version"],
    build: [["go", "build", "-p", "1", "-o", "program", "."]],
    command: (folder) => [programIn(folder)],
  },
  {
    language: "java",
    protocol: "grpc",
    version: ["java", "--version"],
    build: [
      ["mvn", "--batch-mode", "--quiet", "dependency:copy-dependencies", "-DoutputDirectory=lib"],
      ["javac", "-cp", "lib/*", "-d", "classes", "Picker.java"],
    ],
    command: (folder) => [
      "java",
      "-cp",
      [path.join(folder, "classes"), path.join(folder, "lib/*")].join(path.delimiter),
      "Picker",
    ],
  },
];

/** Starts a picker on a free port of this machine; returns the port, which is in the first line it prints. */
async function start([program = "", ...words]: readonly string[]): Promise<number> {
  const env = { ...process.env, TOKEN: "sesame", HOST: "127.0.0.1", PORT: "0" };
  const child = spawn(program, words, { env, stdio: ["ignore", "pipe", "ignore"] });
  const closed = once(child, "close");
  onTestFinished(async () => {
    child.kill();
    await closed;
  });
  const lines = createInterface(child.stdout);
  const [line] = (await Promise.race([once(lines, "line"), closed.then(() => [])])) as [string?];
  if (line === undefined) throw new Error(`${program} ended before it listened`);
  return Number(/^listening on (\d+)$/.exec(line)?.[1]);
}

test.for(samples)(
  "the picker in examples/pickers/$language passes the check over $protocol",
  { timeout: 1_800_000 },
  async ({ language, protocol, version, build, command }, { skip }) => {
    const tool: BuiltTool = await buildTool({
      name: `picker-${language}`,
      sources: folderOf(language),
      version,
      build,
    });
    if ("missing" in tool) return skip(tool.missing);
    const port = await start(command(tool.folder));
    const headers = [["authorization", "Bearer sesame"]] as const;
    // What depends on how connections arrive does not show in every round.
    for (let round = 0; round < 10; round++)
      expect(findings(await check(`${protocol}://127.0.0.1:${port}`, { headers }))).toEqual({});
  },
);
