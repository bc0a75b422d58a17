import { describe, test } from "vitest";
import { expectResponse, hostileTestCluster } from "./fixture.ts";
import { queries } from "./queries.cases.ts";

const fixture = hostileTestCluster();

describe("a query", () => {
  test.for(queries)("with $name is answered with $code", (query) => expectResponse(fixture, query));
});
