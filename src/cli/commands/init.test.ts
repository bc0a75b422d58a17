import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { folderWith, typed } from "../../../test/cli/type-command.ts";

test("trimtab init writes a scenario that holds, a workflow and a picker", async () => {
  const folder = folderWith();
  const { code, out, err } = await typed("init", folder);
  expect({ code, err }).toEqual({ code: 0, err: "" });
  const files = ["scenarios/web.yaml", ".github/workflows/scenarios.yaml", "picker.mjs"];
  expect(out.split("\n").slice(0, 3)).toEqual(files.map((file) => `wrote ${path.join(folder, file)}`));
  const scenario = path.join(folder, "scenarios/web.yaml");
  expect(out).toContain(`Next: trimtab simulate ${scenario}`);
  const workflow = readFileSync(path.join(folder, ".github/workflows/scenarios.yaml"), "utf8");
  expect(parse(workflow)).toMatchObject({ jobs: { scenarios: { "runs-on": "ubuntu-latest" } } });
  expect(await typed("simulate", scenario)).toMatchObject({ code: 0, err: "" });
});

test("files that are there stay as they are, and no other is written", async () => {
  const folder = folderWith();
  writeFileSync(path.join(folder, "picker.mjs"), "mine\n");
  const { code, err } = await typed("init", folder);
  expect({ code, err }).toEqual({
    code: 1,
    err: `trimtab init: ${path.join(folder, "picker.mjs")} is there already; nothing was written`,
  });
  expect(readdirSync(folder)).toEqual(["picker.mjs"]);
});

test("a folder that cannot be made is an error, and so are two", async () => {
  const folder = folderWith();
  writeFileSync(path.join(folder, "file"), "");
  expect(await typed("init", path.join(folder, "file"))).toMatchObject({
    code: 1,
    err: expect.stringMatching(/^trimtab init: \S+file cannot be written: E(NOTDIR|EXIST)/),
  });
  // A system that refuses every folder with ENOENT, where `recursive` of Node would never return.
  if (process.platform === "linux")
    expect(await typed("init", "/proc/trimtab")).toMatchObject({
      code: 1,
      err: expect.stringContaining("trimtab init: /proc/trimtab cannot be written: ENOENT") as string,
    });
  expect(await typed("init", "a", "b")).toMatchObject({
    code: 1,
    err: "trimtab init: one folder may be named; default: this one",
  });
});
