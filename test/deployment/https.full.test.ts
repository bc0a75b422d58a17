import { describe } from "vitest";
import { travelOverHttps } from "./fixture.ts";

// The same suites once more with the controllers behind HTTPS, so that sharing objects by reference hides nothing.
travelOverHttps();
describe("over HTTPS", async () => {
  await import("./rolling.test.ts");
  await import("./recreate.test.ts");
  await import("./pausing.test.ts");
  await import("./progress.test.ts");
  await import("./belonging.test.ts");
  await import("./gates.test.ts");
  await import("./scaling.test.ts");
  await import("./bad-input.test.ts");
  await import("./lifecycle.test.ts");
  await import("./writing.test.ts");
});
