import path from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { runClient } from "../clients/client-process.ts";
import { buildTool } from "../clients/tool-cache.ts";
import { compiled, temporaryFolder } from "../durable/compiled.ts";

const sources = fileURLToPath(new URL("../../examples/junit-extension", import.meta.url));
const maven = ["mvn", "--batch-mode", "--no-transfer-progress"];

/** Downloads and compiles what needs no cluster. */
const build = [[...maven, "--quiet", "test", "-Dtest=None", "-Dsurefire.failIfNoSpecifiedTests=false"]];

test(
  "junit-extension: classes that run side by side have a cluster each, empty for every test, and leave none",
  { timeout: 1_800_000 },
  async ({ skip }) => {
    const tool = await buildTool({ name: "junit-extension", sources, version: ["java", "--version"], build });
    if ("missing" in tool) return skip(tool.missing);
    const state = temporaryFolder();
    const env = {
      PATH: process.env["PATH"],
      HOME: process.env["HOME"],
      JAVA_HOME: process.env["JAVA_HOME"],
      XDG_STATE_HOME: state,
      TRIMTAB: `${process.execPath} ${compiled("src/cli/main.ts")}`,
    };
    const command = [...maven, "--file", path.join(tool.folder, "pom.xml"), "surefire:test"];
    const ran = await runClient({ command, env });
    expect(ran).toMatchObject({
      code: 0,
      out: expect.stringMatching(/Tests run: 3, Failures: 0, Errors: 0/),
    });
    const list = { command: [process.execPath, compiled("src/cli/main.ts")], env };
    expect(await runClient(list, "list", "--json")).toMatchObject({ code: 0, out: "[]\n" });
  },
);
