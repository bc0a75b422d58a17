import type { JsonObject } from "../../src/api/json.ts";
import type { HttpsCaller } from "../https-caller.ts";
import type { CustomKindStory } from "./custom-kind-stories.cases.ts";
import { comparableCaller, differingLeaves } from "./custom-resource-answers.ts";
import { eventually } from "./eventually.ts";

const definitions = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";

/** Tells a story to two servers and returns where their answers differ. */
export async function storyDifferences(
  story: CustomKindStory,
  callers: readonly HttpsCaller[],
): Promise<string> {
  const [theirs = [], ours = []] = await Promise.all(callers.map((caller) => answersOf(caller, story)));
  const found = story.requests.flatMap((request, index) => {
    const lines = differingLeaves(theirs[index], ours[index]).filter(
      (line) => request.codeOnly !== true || line.startsWith("  .code:"),
    );
    const sent = JSON.stringify(request.body)?.slice(0, 300) ?? "";
    return lines.length === 0 ? [] : [`${request.what} ${sent}\n${lines.join("\n")}`];
  });
  return found.join("\n\n");
}

/** Establishes the kind, and sends the requests one after the other. */
async function answersOf(
  caller: HttpsCaller,
  { definition, requests }: CustomKindStory,
): Promise<readonly unknown[]> {
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
    .replace(/[0-9a-f]{8}-[0-9a-f-]{27}/g, "UID")
    .replace(/"\d+s"/g, '"AGE"')
    .replace(/"\d{4}-\d\d-\d\dT[\d:]{8}Z"/g, '"TIME"')
    .replace(/("format":"[^"]*","description":)"(?:[^"\\]|\\.)*"/g, '$1""');
  return JSON.parse(text);
}
