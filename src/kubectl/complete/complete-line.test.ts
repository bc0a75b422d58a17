import { expect, test } from "vitest";
import { startTestApiServer } from "../../cluster/apiserver/api-server-fixture.contract.ts";
import { completeKubectl, type KubectlIo } from "../index.ts";

async function terminal(): Promise<KubectlIo> {
  const { server, clock } = await startTestApiServer();
  const open = server.open("kubectl/test");
  for (const name of ["one", "other"])
    await open(
      {
        method: "POST",
        path: "/api/v1/namespaces/default/configmaps",
        contentType: "application/json",
        body: JSON.stringify({ metadata: { name } }),
      },
      new AbortController().signal,
    );
  const silent = () => undefined;
  return { open, clock, out: silent, err: silent, signal: new AbortController().signal };
}

test.for([
  { line: "ge", want: ["get"] },
  { line: "rollout res", want: ["restart", "resume"] },
  { line: "create serv", want: ["service", "serviceaccount"] },
  { line: "get configm", want: ["configmaps"] },
  { line: "get cm o", want: ["one", "other"] },
  { line: "get cm/ot", want: ["cm/other"] },
  { line: "delete cm one ot", want: ["other"] },
  { line: "get cm -n def", want: ["default"] },
  { line: "get cm --show-l", want: ["--show-labels"] },
  { line: "get cm -o js", want: ["json", "jsonpath="] },
  { line: "get cm --output=y", want: ["--output=yaml"] },
  { line: "get nothings ", want: [] },
  { line: "nonsense ", want: [] },
])("$line is completed", async ({ line, want }) => {
  expect(await completeKubectl(line.split(" "), await terminal())).toEqual(want);
});
