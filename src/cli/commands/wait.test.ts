import { expect, test } from "vitest";
import { runCommand } from "../run-command.ts";
import { wait } from "./wait.ts";

test.each([
  { words: [], problems: ["one object is needed, such as trimtab wait deployment/web"] },
  {
    words: ["deploy/web", "deploy/api"],
    problems: ["one object is needed, such as trimtab wait deployment/web"],
  },
  {
    words: ["job/x", "--timeout=0"],
    problems: [
      '"job" is not waited for; Deployment, ReplicaSet, StatefulSet, DaemonSet are',
      "--timeout must be a duration above 0, such as 5m",
    ],
  },
  { words: ["web", "--timeout=5"], problems: ["--timeout must be a duration above 0, such as 5m"] },
])("trimtab wait refuses $words", async ({ words, problems }) => {
  const err: string[] = [];
  const code = await runCommand([wait], ["wait", "--kubeconfig=/nonexistent", ...words], {
    out: () => undefined,
    err: (text) => err.push(text.replace("trimtab wait: ", "")),
    interrupted: new AbortController().signal,
  });
  expect(code).toBe(1);
  expect(err).toEqual([...problems, expect.stringContaining("/nonexistent")]);
});
