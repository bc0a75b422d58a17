import path from "node:path";
import { describe } from "vitest";
import { useClient } from "./client-fixture.ts";
import { describeLogs, describeRefusals, describeWatching } from "./describe-client.ts";
import { buildPythonClient } from "./tools.ts";

describe("the Python client", () => {
  const use = useClient(buildPythonClient, (folder) => [
    path.join(folder, "env/bin/python"),
    path.join(folder, "client.py"),
  ]);
  describeWatching(use);
  describeRefusals(use);
  describeLogs(use);
});
