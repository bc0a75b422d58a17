import { expect, test } from "vitest";
import { previewAnswers } from "../../../src/picker/serve/preview-answers.ts";
import { pickerForWeb, serveConfiguration, webPod } from "./served.ts";

const byAnnotation = "score: { annotation: { key: example.com/busy } }";
const busy = (name: string, number: string) => webPod(name, { annotations: { "example.com/busy": number } });
const selecting = (selector: string) =>
  pickerForWeb(byAnnotation).replace("workload: { namespace: shop, name: web }", selector);

test.for([
  { name: "its labels", selector: "selector: { matchLabels: { app: web } }", isMeant: true },
  {
    name: "its labels in its namespace",
    selector: "selector: { matchExpressions: [{ key: app, operator: Exists }] }\n    namespaces: [shop]",
    isMeant: true,
  },
  { name: "other labels", selector: "selector: { matchLabels: { app: other } }", isMeant: false },
  {
    name: "its labels in another namespace",
    selector: "selector: { matchLabels: { app: web } }\n    namespaces: [bank]",
    isMeant: false,
  },
])("a picker that selects $name is for a workload: $isMeant", async ({ selector, isMeant }) => {
  const pods = [busy("web-a", "2"), busy("web-b", "1")];
  const { ask } = await serveConfiguration(selecting(selector), { pods });
  expect(await ask(["web-a", "web-b"])).toEqual({
    kind: "answered",
    chosen: isMeant ? ["web-b"] : [],
    tied: [],
  });
});

test("the first picker that is for a workload counts", async () => {
  const yaml = `${pickerForWeb(`${byAnnotation}\nmissing: last`)}
  - name: others
    selector: {}
    score: { annotation: { key: example.com/other } }
`;
  const { served } = await serveConfiguration(yaml, { pods: [] });
  const asked = { namespace: "shop", workload: { kind: "Deployment", name: "web" } };
  expect(served.evaluatorFor(asked)?.rule.name).toBe("web");
  const replicaSet = { namespace: "shop", workload: { kind: "ReplicaSet", name: "web-1" } };
  expect(served.evaluatorFor(replicaSet)?.rule.name).toBe("others");
  const nothing = { namespace: "shop", workload: { kind: "Deployment", name: "gone" } };
  expect(served.evaluatorFor(nothing)).toBeUndefined();
});

test("what would be answered is told for each workload, by score, about the Pods that a picker is asked about", async () => {
  const starting = webPod("web-c", { ready: false });
  const ending = webPod("web-d", { deletedAt: "2026-01-01T00:00:00Z" });
  const { served, pods } = await serveConfiguration(selecting("selector: {}"), {
    pods: [busy("web-a", "2"), busy("web-b", "-1"), starting, ending],
  });
  const previews = await previewAnswers(served, pods, new AbortController().signal);
  expect(previews.map(({ picker, asked, scores }) => [picker, asked, scores.map(({ pod }) => pod)])).toEqual([
    ["web", { namespace: "shop", workload: { kind: "Deployment", name: "web" } }, ["web-b", "web-a"]],
  ]);
});
