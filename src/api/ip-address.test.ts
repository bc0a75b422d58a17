import { isIP } from "node:net";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { cidrProblems, ipProblems, parseIp, unreachableProblems } from "./ip-address.ts";

describe("parseIp", () => {
  const texts = fc.oneof(
    fc.ipV4(),
    fc.ipV6(),
    fc.stringMatching(/^[0-9a-f:.]{0,45}$/),
    fc
      .array(fc.constantFrom("0", "1", "ffff", "", "1.2.3.4", "g"), { maxLength: 9 })
      .map((parts) => parts.join(":")),
  );
  test("takes what Node takes, but for leading zeros, which are for `ipProblems` to judge", () => {
    fc.assert(
      fc.property(texts, (text) => {
        const plain = text.replace(/(^|[.:])0+(?=[0-9])(?=[0-9.]*$)/g, "$1");
        if (plain === text)
          expect(parseIp(text)?.length ?? 0).toBe([0, 4, 16][[0, 4, 6].indexOf(isIP(text))]);
      }),
      { numRuns: 500 },
    );
  });
});

const bad = "must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)";
test.for([
  { text: "10.0.0.1", want: [] },
  { text: "2001:db8::1", want: [] },
  { text: "::", want: [] },
  { text: "", want: [bad] },
  { text: "10.0.0", want: [bad] },
  { text: "10.0.0.256", want: [bad] },
  { text: "1::2::3", want: [bad] },
  { text: "1.2.3.4::", want: [bad] },
  { text: "fe80::1%eth0", want: [bad] },
  { text: "010.0.0.1", want: ["must not have leading 0s"] },
  { text: "::ffff:1.2.3.4", want: ["must not be an IPv4-mapped IPv6 address"] },
])("ipProblems of $text", ({ text, want }) => {
  expect(ipProblems(text)).toEqual(want);
});

const badCidr = "must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)";
test.for([
  { text: "10.0.0.0/8", want: [] },
  { text: "10.0.0.1/32", want: [] },
  { text: "2001:db8::/64", want: [] },
  { text: "10.0.0.0", want: [badCidr] },
  { text: "10.0.0.0/33", want: [badCidr] },
  { text: "10.0.0.0/8/8", want: [badCidr] },
  { text: "10.0.0.1/8", want: ["must not have bits set beyond the prefix length"] },
])("cidrProblems of $text", ({ text, want }) => {
  expect(cidrProblems(text)).toEqual(want);
});

test.for([
  { text: "10.0.0.1", want: [] },
  { text: "x", want: ["must be a valid IP address"] },
  { text: "0.0.0.0", want: ["may not be unspecified (0.0.0.0)"] },
  { text: "127.9.9.9", want: ["may not be in the loopback range (127.0.0.0/8, ::1/128)"] },
  { text: "::1", want: ["may not be in the loopback range (127.0.0.0/8, ::1/128)"] },
  { text: "169.254.169.254", want: ["may not be in the link-local range (169.254.0.0/16, fe80::/10)"] },
  { text: "fe80::1", want: ["may not be in the link-local range (169.254.0.0/16, fe80::/10)"] },
  { text: "224.0.0.1", want: ["may not be in the link-local multicast range (224.0.0.0/24, ff02::/10)"] },
  { text: "ff02::1", want: ["may not be in the link-local multicast range (224.0.0.0/24, ff02::/10)"] },
])("unreachableProblems of $text", ({ text, want }) => {
  expect(unreachableProblems(text)).toEqual(want);
});
