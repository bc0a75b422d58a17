import { expect, test } from "vitest";
import type { Invocation } from "../command.ts";
import { pickerFlags } from "../flags/picker-flags.ts";
import { readWhatIfSettings } from "./whatif-settings.ts";

const mistakes: readonly { readonly flags: Invocation["flags"]; readonly problems: readonly string[] }[] = [
  { flags: { as: "kube" }, problems: ["--as must be one of trimtab, kubernetes-1.36"] },
  { flags: { output: "junit" }, problems: ["--output must be one of json, yaml, wide"] },
  { flags: { for: "long", "start-up": "-1s" }, problems: ["start-up", "for"].map(needsDuration) },
  {
    flags: { snapshot: "cluster.yaml", name: "demo", context: "prod" },
    problems: ["--snapshot excludes --name", "--snapshot excludes --context"],
  },
  {
    flags: { snapshot: "cluster.yaml", "ask-picker": true },
    problems: ["--snapshot excludes --ask-picker"],
  },
];

function needsDuration(name: string): string {
  return `--${name} must be a duration such as 30s`;
}

/** What the command line has when these flags are not given. */
const defaults = Object.fromEntries(
  Object.entries(pickerFlags).flatMap(([name, flag]) =>
    flag.default === undefined ? [] : [[name, flag.default]],
  ),
);

test.for(mistakes)("refuses $flags", ({ flags, problems }) => {
  expect(readWhatIfSettings({ flags: { ...defaults, ...flags } })).toEqual({ ok: false, problems });
});
