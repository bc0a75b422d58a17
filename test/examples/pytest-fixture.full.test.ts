import path from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { runClient } from "../clients/client-process.ts";
import { buildPythonClient } from "../clients/tools.ts";
import { compiled, temporaryFolder } from "../durable/compiled.ts";

const folder = fileURLToPath(new URL("../../examples/pytest-fixture", import.meta.url));

test(
  "pytest-fixture: each of two workers has a cluster, empty for every test, and leaves none",
  { timeout: 1_800_000 },
  async ({ skip }) => {
    const tool = await buildPythonClient();
    if ("missing" in tool) return skip(tool.missing);
    const home = temporaryFolder();
    const env = {
      PATH: process.env["PATH"],
      HOME: home,
      XDG_STATE_HOME: home,
      PYTHONDONTWRITEBYTECODE: "1",
      TRIMTAB: `${process.execPath} ${compiled("src/cli/main.ts")}`,
    };
    const python = path.join(tool.folder, "env/bin/python");
    const command = [python, "-m", "pytest", "-p", "no:cacheprovider", "-n", "2", folder];
    const ran = await runClient({ command, env });
    expect(ran).toMatchObject({ code: 0, out: expect.stringContaining("3 passed") });
    const list = { command: [process.execPath, compiled("src/cli/main.ts")], env };
    expect(await runClient(list, "list", "--json")).toMatchObject({ code: 0, out: "[]\n" });
  },
);
