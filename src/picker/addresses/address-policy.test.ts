import { describe, expect, test } from "vitest";
import { isLoopback } from "./address-faces.ts";
import { isAddressAllowed, isSameAddress, emptyAllowList, parseAllowList } from "./address-policy.ts";

function allowing(...entries: string[]) {
  const parsed = parseAllowList(entries);
  if (!parsed.ok) throw new Error(parsed.problems.join(", "));
  return parsed.allowed;
}

const everywhere = { loopback: true, allowed: allowing("0.0.0.0/0", "::/0", "picker.example.com") };

describe("these addresses are never allowed:", () => {
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
    "64:ff9b:1::a9fe:a9fe", // NAT64 for local use, with each of its prefix lengths
    "64:ff9b:1:a9fe:a9:fe00::",
    "64:ff9b:1:a9:fe:a9fe::",
    "64:ff9b:1::a9:fea9:fe00:0",
    "2001:0:a9fe:a9fe::1", // Teredo: its server
    "2001:0:4136:e378:8000:63bf:5601:5601", // Teredo: its client, with every bit inverted
    "2001:db8::5efe:169.254.169.254", // ISATAP
    "2001:db8::200:5efe:169.254.169.254",
    "010.0.0.1", // a name to a socket; most resolvers read it as 8.0.0.1
    "fe80::1%eth0",
    "not an address",
    "",
  ])("%s", (address) => {
    expect(isAddressAllowed(address, "picker.example.com", everywhere)).toBe(false);
  });
});

describe("loopback is allowed only by the policy:", () => {
  test.for(["127.0.0.1", "127.8.9.10", "::1", "::ffff:127.0.0.1"])("%s", (address) => {
    expect(isAddressAllowed(address, "x", { loopback: true, allowed: emptyAllowList })).toBe(true);
    expect(isAddressAllowed(address, "x", { ...everywhere, loopback: false })).toBe(false);
  });
});

describe("the loopback of a router is none of this machine, and is never allowed:", () => {
  const named = allowing("0.0.0.0/0", "::/0", "127.0.0.1", "localhost");
  test.for([
    "64:ff9b::7f00:1", // NAT64
    "64:ff9b:1::7f00:1",
    "2002:7f00:1::", // 6to4
    "2001:0:7f00:1::1", // Teredo
    "2001:db8::5efe:127.0.0.1", // ISATAP
    "::ffff:0:127.0.0.1", // translated
    "::127.0.0.1",
  ])("%s", (address) => {
    expect(isAddressAllowed(address, "localhost", { loopback: true, allowed: named })).toBe(false);
    expect(isLoopback(address)).toBe(false);
  });
});

describe("loopback that the operator names is allowed:", () => {
  test.for([
    { entry: "127.0.0.1/32", address: "127.0.0.1", want: true },
    { entry: "127.0.0.1", address: "::ffff:127.0.0.1", want: true },
    { entry: "127.0.0.0/8", address: "127.1.2.3", want: true },
    { entry: "::1", address: "::1", want: true },
    { entry: "localhost", address: "127.0.0.1", want: true },
    { entry: "127.0.0.1", address: "127.0.0.2", want: false },
    { entry: "127.0.0.1", address: "::1", want: false },
    // An operator who allows everything, or a host with a DNS server of its own, does not mean this machine.
    { entry: "0.0.0.0/0", address: "127.0.0.1", want: false },
    { entry: "::/0", address: "::1", want: false },
    { entry: "picker.example.com", address: "127.0.0.1", want: false },
  ])("$entry, $address: $want", ({ entry, address, want }) => {
    const policy = { loopback: false, allowed: allowing(entry) };
    expect(isAddressAllowed(address, entry, policy)).toBe(want);
  });
});

describe("an address that leads to an IPv4 address is allowed only if that is:", () => {
  const allowed = allowing("10.0.0.0/8", "2001:db8::/32", "64:ff9b::/96", "2002::/16", "2001::/32");
  test.for([
    { name: "IPv4-mapped", address: "::ffff:10.0.0.1", want: true },
    { name: "IPv4-mapped, elsewhere", address: "::ffff:11.0.0.1", want: false },
    { name: "NAT64", address: "64:ff9b::a00:1", want: true },
    { name: "NAT64, elsewhere", address: "64:ff9b::b00:1", want: false },
    { name: "6to4", address: "2002:a00:1::1", want: true },
    { name: "6to4, elsewhere", address: "2002:b00:1::1", want: false },
    { name: "Teredo", address: "2001:0:a00:1:0:0:f5ff:fffe", want: true },
    { name: "Teredo, a client elsewhere", address: "2001:0:a00:1:0:0:f4ff:fffe", want: false },
    { name: "Teredo, a server elsewhere", address: "2001:0:b00:1:0:0:f5ff:fffe", want: false },
    { name: "ISATAP", address: "2001:db8::5efe:10.0.0.1", want: true },
    { name: "ISATAP, elsewhere", address: "2001:db8::5efe:11.0.0.1", want: false },
    { name: "ISATAP, in another network", address: "2001:db9::5efe:10.0.0.1", want: false },
  ])("$name: $want", ({ address, want }) => {
    expect(isAddressAllowed(address, "x", { loopback: false, allowed })).toBe(want);
  });
});

describe("other addresses are allowed", () => {
  const allowed = allowing("10.0.0.0/8", "192.0.2.7", "2001:db8::/32", "Picker.Example.com");
  test.for([
    { name: "in a network of the list", address: "10.9.8.7", host: "x", want: true },
    { name: "not in another network", address: "11.0.0.1", host: "x", want: false },
    { name: "as an address of the list", address: "192.0.2.7", host: "x", want: true },
    { name: "not the address beside it", address: "192.0.2.8", host: "x", want: false },
    { name: "in an IPv6 network of the list", address: "2001:db8::7", host: "x", want: true },
    { name: "not outside of it", address: "2001:db9::7", host: "x", want: false },
    {
      name: "for a host of the list, in upper or lower case",
      address: "203.0.113.1",
      host: "picker.example.COM",
      want: true,
    },
    {
      name: "not for a host that only contains one",
      address: "203.0.113.1",
      host: "a.picker.example.com",
      want: false,
    },
  ])("$name: $want", ({ address, host, want }) => {
    expect(isAddressAllowed(address, host, { loopback: false, allowed })).toBe(want);
  });

  test("not if the list is empty", () => {
    expect(isAddressAllowed("10.0.0.1", "x", { loopback: true, allowed: emptyAllowList })).toBe(false);
  });
});

test.for([
  { one: "10.0.0.1", other: "10.0.0.1", want: true },
  { one: "::ffff:10.0.0.1", other: "10.0.0.1", want: true },
  { one: "::ffff:a00:1", other: "::ffff:10.0.0.1", want: true },
  { one: "2001:db8:0::1", other: "2001:DB8::1", want: true },
  { one: "10.0.0.1", other: "10.0.0.2", want: false },
  { one: "not-an-address", other: "not-an-address", want: false },
])("$one is $other: $want", ({ one, other, want }) => {
  expect(isSameAddress(one, other)).toBe(want);
  expect(isSameAddress(other, one)).toBe(want);
});

test("every loopback address is recognized", () => {
  expect(["127.0.0.1", "::1", "::ffff:127.0.0.1", "10.0.0.1", "localhost"].map(isLoopback)).toEqual([
    true,
    true,
    true,
    false,
    false,
  ]);
});

test("an invalid allow list is rejected with all problems", () => {
  expect(parseAllowList(["10.0.0.0/33", "10.0.0.1/8", "http://x", "good.example.com"])).toEqual({
    ok: false,
    problems: ["10.0.0.0/33", "10.0.0.1/8", "http://x"].map(
      (entry) => `${entry} is neither a host nor a network`,
    ),
  });
});
