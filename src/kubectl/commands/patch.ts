import { parseYaml } from "../../machinery/yaml/parse-yaml.ts";
import { failure, notSupportedHere } from "../command-failure.ts";
import type { Context } from "../context.ts";
import type { KubectlCommand } from "../kubectl-command.ts";
import { dryRunFlags, fileFlags, outputFlags } from "../line/common-flags.ts";
import { dryRunOf } from "../line/dry-run.ts";
import { objectPrinter } from "../output/object-printer.ts";
import { reportChange } from "../output/report-change.ts";
import { forEachSelected } from "../selection/fetch-objects.ts";
import { changedTargets } from "../selection/manifest-targets.ts";
import { patchObject } from "../server/write-object.ts";

/** `kubectl patch`. */
export const patch: KubectlCommand = {
  summary: "Update fields of a resource",
  operands: "types-and-names",
  flags: {
    ...fileFlags,
    ...outputFlags,
    ...dryRunFlags,
    patch: { type: "string", short: "p" },
    "patch-file": { type: "string" },
    type: { type: "string", default: "strategic", choices: ["json", "merge", "strategic"] },
    subresource: { type: "string" },
    local: { type: "boolean" },
  },
  async run(context) {
    const type = typeOf(context.text("type"));
    const dryRun = dryRunOf(context);
    if (dryRun === "client" || context.isOn("local"))
      throw notSupportedHere("a patch that is not sent to the server");
    const body = jsonOf(await textOf(context));
    const printer = objectPrinter(context);
    const subresource = context.text("subresource");
    const targets = await changedTargets(context);
    await forEachSelected(context, { targets }, async (item) => {
      const options = { type, body, manager: "kubectl-patch", dryRun, subresource };
      const patched = await patchObject(context, item, options);
      const isSame =
        subresource === "" && patched.metadata.resourceVersion === item.object.metadata.resourceVersion;
      reportChange(context, patched, { done: isSame ? "patched (no change)" : "patched", dryRun, printer });
    });
  },
};

function typeOf(text: string): "json" | "merge" | "strategic" {
  if (text === "json" || text === "merge" || text === "strategic") return text;
  throw failure(`--type must be one of [json merge strategic], not ${JSON.stringify(text)}`);
}

async function textOf(context: Context): Promise<string> {
  const [given, file] = [context.text("patch"), context.text("patch-file")];
  if (given !== "") return given;
  if (file === "") throw failure("must specify --patch or --patch-file containing the contents of the patch");
  if (context.io.readFile === undefined) throw notSupportedHere("--patch-file");
  return context.io.readFile(file);
}

/** A patch may be YAML. */
function jsonOf(text: string): string {
  try {
    JSON.parse(text);
    return text;
  } catch {
    const parsed = parseYaml(text, { documents: "first", version: "1.1" });
    if (!parsed.ok)
      throw failure(`unable to parse ${JSON.stringify(text)}: yaml: ${parsed.problems[0].message}`);
    return JSON.stringify(parsed.documents[0]?.value ?? null);
  }
}
