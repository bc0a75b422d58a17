import { get } from "node:http";
import { expect, test } from "vitest";
import { describeWithKubectl } from "./describe-with-kubectl.ts";
import { output } from "./printed.ts";

/** The body of a response over plain HTTP. */
function read(url: string): Promise<string> {
  return new Promise((resolve, reject) => {
    get(url, (response) => {
      let text = "";
      response.setEncoding("utf8").on("data", (chunk: string) => (text += chunk));
      response.on("end", () => resolve(text));
    }).on("error", reject);
  });
}

describeWithKubectl(({ openNamespace }) => {
  test("kubectl proxy serves the API to programs without credentials", { timeout: 180_000 }, async () => {
    const shell = await openNamespace("proxying");
    await output(shell, "create configmap settings --from-literal=colour=green");
    const proxy = shell.begin("proxy --port=0");
    const printed = await proxy.waitForOutput("\n");
    const [address = ""] = /127\.0\.0\.1:\d+/.exec(printed) ?? [];
    const path = "/api/v1/namespaces/proxying/configmaps/settings";
    expect(JSON.parse(await read(`http://${address}${path}`))).toMatchObject({ data: { colour: "green" } });
    expect(JSON.parse(await read(`http://${address}/version`))).toMatchObject({ major: "1" });
    await proxy.interrupt();
  });
});
