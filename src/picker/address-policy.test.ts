import { describe, expect, test } from "vitest";
import {
  isAddressAllowed,
  isLoopback,
  isSameAddress,
  emptyAllowList,
  parseAllowList,
} from "./address-policy.ts";

function allowing(...entries: string[]) {
  const parsed = parseAllowList(entries);
  if (!parsed.ok) throw new Error(parsed.problems.join(", "));
  return parsed.allowed;
}

const everywhere = { loopback: true, allowed: allowing("0.0.0.0/0", "::/0", "picker.example.com") };

describe("whatever is allowed, these are never called:", () => {
  test.for([
    "0.0.0.0",
    "0.1.2.3",
    "169.254.169.254",
    "169.254.0.1",
    "224.0.0.1",
    "239.255.255.255",
    "255.255.255.255",
    "100.100.100.200",
    "192.0.0.192",
    "168.63.129.16",
    "::",
    "fe80::1",
    "febf::1",
    "fec0::1",
    "ff02::1",
    "fd00:ec2::254",
    "fd20:ce::254",
    "::ffff:169.254.169.254",
    "::ffff:a9fe:a9fe",
    "::ffff:0:169.254.169.254",
    "::169.254.169.254",
    "64:ff9b::a9fe:a9fe",
    "2002:a9fe:a9fe::1",
    "010.0.0.1", // to a socket a name, which most resolvers take for 8.0.0.1
    "fe80::1%eth0",
    "not an address",
    "",
  ])("%s", (address) => {
    expect(isAddressAllowed(address, "picker.example.com", everywhere)).toBe(false);
  });
});

describe("this machine is called only where that is allowed:", () => {
  test.for(["127.0.0.1", "127.8.9.10", "::1", "::ffff:127.0.0.1", "64:ff9b::7f00:1"])("%s", (address) => {
    expect(isAddressAllowed(address, "x", { loopback: true, allowed: emptyAllowList })).toBe(true);
    expect(isAddressAllowed(address, "x", { ...everywhere, loopback: false })).toBe(false);
  });
});

describe("others are called", () => {
  const allowed = allowing("10.0.0.0/8", "192.0.2.7", "2001:db8::/32", "Picker.Example.com");
  test.for([
    { name: "in a network that was named", address: "10.9.8.7", host: "x", want: true },
    { name: "in no such network", address: "11.0.0.1", host: "x", want: false },
    { name: "at an address that was named", address: "192.0.2.7", host: "x", want: true },
    { name: "at the address beside it", address: "192.0.2.8", host: "x", want: false },
    { name: "in a network of IPv6", address: "2001:db8::7", host: "x", want: true },
    { name: "outside of it", address: "2001:db9::7", host: "x", want: false },
    { name: "by a name, in any case", address: "203.0.113.1", host: "picker.example.COM", want: true },
    {
      name: "not by a name that only contains it",
      address: "203.0.113.1",
      host: "a.picker.example.com",
      want: false,
    },
  ])("$name: $want", ({ address, host, want }) => {
    expect(isAddressAllowed(address, host, { loopback: false, allowed })).toBe(want);
  });

  test("nowhere when nothing was named", () => {
    expect(isAddressAllowed("10.0.0.1", "x", { loopback: true, allowed: emptyAllowList })).toBe(false);
  });
});

test.for([
  { one: "10.0.0.1", other: "10.0.0.1", want: true },
  { one: "::ffff:10.0.0.1", other: "10.0.0.1", want: true },
  { one: "::ffff:a00:1", other: "::ffff:10.0.0.1", want: true },
  { one: "2001:db8:0::1", other: "2001:DB8::1", want: true },
  { one: "10.0.0.1", other: "10.0.0.2", want: false },
  { one: "nobody", other: "nobody", want: false },
])("$one is $other: $want", ({ one, other, want }) => {
  expect(isSameAddress(one, other)).toBe(want);
  expect(isSameAddress(other, one)).toBe(want);
});

test("this machine is known by any of its addresses", () => {
  expect(["127.0.0.1", "::1", "::ffff:127.0.0.1", "10.0.0.1", "localhost"].map(isLoopback)).toEqual([
    true,
    true,
    true,
    false,
    false,
  ]);
});

test("an allow list says what is wrong with it", () => {
  expect(parseAllowList(["10.0.0.0/33", "10.0.0.1/8", "http://x", "good.example.com"])).toEqual({
    ok: false,
    problems: ["10.0.0.0/33", "10.0.0.1/8", "http://x"].map(
      (entry) => `${entry} is neither a host nor a network`,
    ),
  });
});
