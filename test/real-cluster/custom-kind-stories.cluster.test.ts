import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startTestApiServer } from "../../src/cluster/apiserver/api-server-fixture.contract.ts";
import type { ApiServerAccess } from "../../src/cluster/apiserver/create-api-server.ts";
import { WallClock } from "../../src/machinery/clock/wall-clock.ts";
import { type HttpsCaller, httpsCaller } from "../https-caller.ts";
import { stories } from "./custom-kind-stories.cases.ts";
import { isComparedVersion } from "./kubernetes-version.ts";
import { type RealCluster, startRealCluster } from "./real-cluster.ts";
import { storyDifferences } from "./story-differences.ts";

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

describe.skipIf(!isComparedVersion)("custom kinds live as in kube-apiserver 1.36", () => {
  test.for(stories)("$name", async (story) => {
    expect(await storyDifferences(story, callers)).toBe("");
  });
});
