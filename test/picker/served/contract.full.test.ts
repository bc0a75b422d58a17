import { expect, test } from "vitest";
import { check, findings } from "../checked-pickers.ts";
import { startServer, pickerForWeb, serveConfiguration, simulatedPod, webPod } from "./served.ts";

const names = ["web-1", "web-2", "web-3", "web-4"];

test.for([
  { source: "annotation", score: "{ annotation: { key: example.com/busy } }" },
  { source: "podMetrics", score: "{ podMetrics: { port: 9100, metric: busy } }" },
])("a picker without code keeps to the contract, over both protocols: $source", async ({ score }) => {
  const { url } = await startServer((_, response) => response.end("busy 2\n"));
  const annotations = { "example.com/busy": "2" };
  const pods = names.map((name) =>
    score.includes("podMetrics") ? simulatedPod(name, url) : webPod(name, { annotations }),
  );
  const yaml = pickerForWeb(`score: ${score}\nprotect: "> 0"`);
  const { picker } = await serveConfiguration(yaml, { pods });
  const urls = await picker.listen({ port: 0, host: "127.0.0.1" });
  const found = { authentication: expect.stringMatching(/^warn: it answers without a token/) };
  for (const served of [urls.url, urls.grpcUrl])
    expect(findings(await check(served ?? "", { namespace: "shop" }))).toEqual(found);
});
