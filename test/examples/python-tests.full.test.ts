import path from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { runClient } from "../clients/client-process.ts";
import { buildPythonClient } from "../clients/tools.ts";
import { compiled, temporaryFolder } from "../durable/compiled.ts";

const folder = fileURLToPath(new URL("../../examples/python-tests", import.meta.url));

test(
  "python-tests: tests in Python have a cluster in the background, and leave none",
  { timeout: 1_800_000 },
  async ({ skip }) => {
    const tool = await buildPythonClient();
    if ("missing" in tool) return skip(tool.missing);
    const home = temporaryFolder();
    const { PATH } = process.env;
    const env = {
      PATH,
      HOME: home,
      XDG_STATE_HOME: home,
      PYTHONDONTWRITEBYTECODE: "1",
      TRIMTAB: `${process.execPath} ${compiled("src/cli/main.ts")}`,
    };
    const command = [path.join(tool.folder, "env/bin/python"), "-m", "unittest", "discover", folder];
    expect(await runClient({ command, env })).toMatchObject({
      code: 0,
      err: expect.stringContaining("Ran 1 test"),
    });
    const list = { command: [process.execPath, compiled("src/cli/main.ts")], env };
    expect(await runClient(list, "list", "--json")).toMatchObject({ code: 0, out: "[]\n" });
  },
);
