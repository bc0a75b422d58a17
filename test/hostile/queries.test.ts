import { describe, test } from "vitest";
import { attempt, hostileWorld } from "./hostile-world.contract.ts";
import { queries } from "./queries.cases.ts";

const world = hostileWorld();

describe("a query", () => {
  test.for(queries)("with $name is answered with $code", (query) => attempt(world, query));
});
