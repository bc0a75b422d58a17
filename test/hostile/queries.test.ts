import { describe, test } from "vitest";
import { expectResponse, hostileTestCluster } from "./hostile-test-cluster.contract.ts";
import { queries } from "./queries.cases.ts";

const world = hostileTestCluster();

describe("a query", () => {
  test.for(queries)("with $name is answered with $code", (query) => expectResponse(world, query));
});
