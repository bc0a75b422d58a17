import { expect, test } from "vitest";
import { findKubectls } from "./kubectls.ts";

const found = findKubectls();
process.stdout.write(
  found.length === 0
    ? "kubectl: none found, so nothing is tried with it; name some in TRIMTAB_KUBECTL\n"
    : `kubectl: ${found.map(({ minor, program }) => `${minor} (${program})`).join(", ")}\n`,
);

test.skipIf(found.length === 0 && process.env["CI"] !== "true")(
  "there is a kubectl to try things with",
  () => {
    expect(found, "set TRIMTAB_KUBECTL, or put kubectl on the PATH").not.toEqual([]);
  },
);
