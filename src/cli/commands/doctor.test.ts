import { expect, test } from "vitest";
import { runCommand } from "../run-command.ts";
import { doctor } from "./doctor.ts";

test.each([
  {
    words: ["deploy/web", "deploy/api"],
    problem: "one object may be named, such as trimtab doctor deployment/web",
  },
  {
    words: ["sts/db"],
    problem: '"sts" is not supported: trimtab steers a Deployment or a ReplicaSet',
  },
  {
    words: ["web", "-o", "xml"],
    problem: expect.stringContaining("--output must be one of json, yaml, wide"),
  },
  { words: ["web", "--picker-allow=*"], problem: "--picker-allow: * is neither a host nor a network" },
])("trimtab doctor refuses $words", async ({ words, problem }) => {
  const err: string[] = [];
  const code = await runCommand([doctor], ["doctor", "--kubeconfig=/nonexistent", ...words], {
    out: () => undefined,
    err: (text) => err.push(text.replace("trimtab doctor: ", "")),
    interrupted: new AbortController().signal,
  });
  expect(code).toBe(1);
  expect(err).toEqual([problem, expect.stringContaining("/nonexistent")]);
});
