import { describe } from "vitest";
import { describeDeleting } from "./client-delete.contract.ts";
import { describeReading } from "./client-read.contract.ts";
import { describeWatching } from "./client-watch.contract.ts";
import type { CreateClient } from "./client-fixture.contract.ts";
import { describeWriting } from "./client-write.contract.ts";

/** What every client promises, whatever lies between it and the API server. */
export function describeClient(name: string, create: CreateClient): void {
  describe(name, () => {
    describeReading(create);
    describeWatching(create);
    describeWriting(create);
    describeDeleting(create);
  });
}
