import path from "node:path";
import { describe } from "vitest";
import { useClient } from "./client-fixture.ts";
import { describeLogs, describeRefusals, describeWatching } from "./describe-client.ts";
import { buildFabric8 } from "./tools.ts";

describe("fabric8", () => {
  const use = useClient(buildFabric8, (folder) => [
    "java",
    "-XX:TieredStopAtLevel=1",
    "-XX:+UseSerialGC",
    "-cp",
    [path.join(folder, "classes"), path.join(folder, "lib/*")].join(path.delimiter),
    "Client",
  ]);
  describeWatching(use);
  describeRefusals(use);
  describeLogs(use);
});
