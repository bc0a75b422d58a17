import { describe, expect, test } from "vitest";
import { completeWords } from "../completion/complete-words.ts";
import { runCommand } from "../run-command.ts";
import { explain } from "./explain.ts";

async function typed(...words: readonly string[]) {
  const [out, err]: [string[], string[]] = [[], []];
  const code = await runCommand([explain], ["explain", ...words], {
    out: (text) => out.push(text),
    err: (text) => err.push(text),
    interrupted: new AbortController().signal,
  });
  return { code, err: err.map((line) => line.replace("trimtab explain: ", "")) };
}

describe("trimtab explain refuses", () => {
  test.each([
    { words: [], problems: ["say what to explain: scale-down, placement, rollout"] },
    { words: ["scaledown", "web"], problems: ['"scaledown" cannot be explained: scale-down, perhaps?'] },
    {
      words: ["scale-down"],
      problems: [
        "one object is needed, such as trimtab explain scale-down deployment/web",
        "--replicas is needed: the size after the scale-down",
      ],
    },
    {
      words: ["scale-down", "deployment/web", "--replicas=many"],
      problems: ["--replicas must be a number from 0 to 2147483647"],
    },
    {
      words: ["scale-down", "pod/web", "--replicas=1"],
      problems: [
        "scale-down is not explained for a Pod; it explains Deployment, ReplicaSet, ReplicationController, StatefulSet",
      ],
    },
    {
      words: ["rollout", "deplyment/web"],
      problems: ['rollout does not know the kind "deplyment"; did you mean deployment/web?'],
    },
    { words: ["rollout", "web", "--replicas=1"], problems: ["--replicas is for explain scale-down"] },
    {
      words: ["rollout", "web", "--scheduler-config=x"],
      problems: ["--scheduler-config is for explain scale-down and placement"],
    },
    {
      words: ["scale-down", "web", "--replicas=1", "--scheduler-config=/nonexistent"],
      problems: [expect.stringContaining("/nonexistent: ") as string],
    },
    { words: ["rollout", "ds/web", "--node=node-1"], problems: ["--node is for explain placement"] },
    { words: ["placement", "ds/web", "--node="], problems: ["--node needs the name of a node"] },
    {
      words: ["placement", "pod/web", "--node=node-1"],
      problems: ["--node is for a DaemonSet, such as trimtab explain placement daemonset/web --node node-1"],
    },
    { words: ["rollout", "web", "--as=stock"], problems: ["--as must be one of trimtab, kubernetes-1.36"] },
    { words: ["rollout", "web", "-o", "xml"], problems: ["--output must be one of json, yaml, wide"] },
    {
      words: ["placement", "pod/web", "-f", "pod.yaml"],
      problems: ["--filename takes the place of an object: give one of the two"],
    },
    {
      words: ["placement", "pod/web", "--name=one", "--context=other"],
      problems: ["--name excludes --kubeconfig and --context"],
    },
    {
      words: ["placement", "pod/web", "--kubeconfig=/nonexistent"],
      problems: [expect.stringContaining("/nonexistent") as string],
    },
  ])("$words", async ({ words, problems }) => {
    expect(await typed(...words)).toEqual({ code: 1, err: problems });
  });
});

describe("Completion of a command line", () => {
  const never = new AbortController().signal;
  test.each([
    { typed: ["ex"], words: ["explain"], files: false },
    { typed: ["explain", ""], words: ["scale-down", "placement", "rollout"], files: false },
    { typed: ["explain", "sc"], words: ["scale-down"], files: false },
    { typed: ["explain", "-o", ""], words: ["json", "yaml", "wide"], files: false },
    { typed: ["explain", "--output=j"], words: ["--output=json"], files: false },
    { typed: ["explain", "--ask"], words: ["--ask-picker"], files: false },
    { typed: ["explain", "--scheduler-config", ""], words: [], files: true },
    { typed: ["explain", "--name", ""], words: [], files: false },
    { typed: ["unknown", ""], words: [], files: false },
  ])("of $typed", async ({ typed: line, ...completions }) => {
    expect(await completeWords([explain], line, never)).toEqual(completions);
  });

  test("asks the command for what follows the first operand", async () => {
    const command = { ...explain, completeOperand: () => Promise.resolve(["pod/a", "deployment/b"]) };
    const completed = await completeWords([command], ["explain", "-n", "x", "placement", "po"], never);
    expect(completed.words).toEqual(["pod/a"]);
  });
});
