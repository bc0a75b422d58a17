import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { JsonObject } from "../../src/api/json.ts";
import { startTestApiServer } from "../../src/cluster/apiserver/api-server-fixture.contract.ts";
import type { ApiServerAccess } from "../../src/cluster/apiserver/create-api-server.ts";
import { WallClock } from "../../src/machinery/clock/wall-clock.ts";
import { type HttpsCaller, httpsCaller } from "../https-caller.ts";
import { comparableCaller, differingLeaves } from "./custom-resource-answers.ts";
import { type CustomKindStory, stories } from "./custom-kind-stories.cases.ts";
import { eventually } from "./eventually.ts";
import { isKubernetesSince } from "./kubernetes-version.ts";
import { type RealCluster, startRealCluster } from "./real-cluster.ts";

const definitions = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";

let real: RealCluster;
let access: ApiServerAccess;
let callers: readonly HttpsCaller[];
beforeAll(async () => {
  real = await startRealCluster({ controllers: "none", scheduler: "none", nodes: 0 });
  const { server } = await startTestApiServer({ startAt: new WallClock().now() });
  access = await server.listen({ port: 0 });
  callers = [httpsCaller(real.access), httpsCaller(access)];
});
afterAll(async () => {
  for (const caller of callers) caller.close();
  await access.close();
  await real.stop();
});

describe.skipIf(!isKubernetesSince(36))("custom kinds live as in kube-apiserver 1.36", () => {
  test.for(stories)("$name", async (story) => {
    const [theirs = [], ours = []] = await Promise.all(callers.map((caller) => answersOf(caller, story)));
    const found = story.requests.flatMap((request, index) => {
      const lines = differingLeaves(theirs[index], ours[index]).filter(
        (line) => request.codeOnly !== true || line.startsWith("  .code:"),
      );
      const sent = JSON.stringify(request.body)?.slice(0, 300) ?? "";
      return lines.length === 0 ? [] : [`${request.what} ${sent}\n${lines.join("\n")}`];
    });
    expect(found.join("\n\n")).toBe("");
  });
});

/** Establishes the kind, and sends the requests one after the other. */
async function answersOf(caller: HttpsCaller, { definition, requests }: CustomKindStory) {
  const send = comparableCaller(caller);
  const { name } = definition["metadata"] as { readonly name: string };
  const created = await send({ what: `POST ${definitions}`, body: definition });
  if (created.code !== 201) throw new Error(JSON.stringify(created.body));
  await eventually(`${name} is established`, async () => {
    const { body } = await send({ what: `GET ${definitions}/${name}` });
    const { conditions } = (body as { readonly status: { readonly conditions?: readonly JsonObject[] } })
      .status;
    return conditions?.some(({ type, status }) => type === "Established" && status === "True") || undefined;
  });
  const answers: unknown[] = [];
  for (const request of requests) answers.push(comparableAnswer(await send(request)));
  return answers;
}

/** What is unlike in any two servers: ages, times, and in whose words columns are described. */
function comparableAnswer(answer: unknown): unknown {
  const text = JSON.stringify(answer)
    .replace(/"\d+s"/g, '"AGE"')
    .replace(/"\d{4}-\d\d-\d\dT[\d:]{8}Z"/g, '"TIME"')
    .replace(/("format":"[^"]*","description":)"(?:[^"\\]|\\.)*"/g, '$1""');
  return JSON.parse(text);
}
