import { expect, test } from "vitest";
import { check, findings } from "../checked-pickers.ts";
import { pickerForWeb, serveConfiguration, startServer } from "./served.ts";

test("picker serve passes every row of the check, over HTTP and gRPC", async () => {
  const server = await startServer((request, response) => {
    const answer = () => {
      const result = [1, 2, 3, 4].map((number) => ({
        metric: { pod: `web-${number}` },
        value: [1_790_000_000, String(number % 3)],
      }));
      response.end(JSON.stringify({ status: "success", data: { resultType: "vector", result } }));
    };
    request.on("end", answer).resume();
  });
  const yaml = pickerForWeb(`score: { prometheus: { url: "${server.url}", query: tasks } }`);
  const { picker } = await serveConfiguration(yaml.replace("namespace: shop", "namespace: default"), {
    pods: [],
  });
  const { url = "", grpcUrl = "" } = await picker.listen({ port: 0, host: "127.0.0.1" });
  const withoutToken = { authentication: expect.stringContaining("warn:") as string };
  expect(findings(await check(url))).toEqual(withoutToken);
  expect(findings(await check(grpcUrl))).toEqual(withoutToken);
});
