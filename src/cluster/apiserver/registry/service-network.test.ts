import { expect, test } from "vitest";
import { defaultServiceNetwork, serviceNetworkOf } from "./service-network.ts";

test("the network of envtest has 254 addresses, without the network and the broadcast address", () => {
  const network = serviceNetworkOf("10.0.0.0/24");
  expect(network).toMatchObject({ range: "10.0.0.0/24", addressCount: 254, firstAddress: "10.0.0.1" });
  expect(network?.addressAt(253)).toBe("10.0.0.254");
  expect(["10.0.0.1", "10.0.0.254"].map((each) => network?.includes(each))).toEqual([true, true]);
  const others = ["10.0.0.0", "10.0.0.255", "10.0.1.1", "9.255.255.255", "10.0.0.01", "10.0.0", "::1", "web"];
  expect(others.filter((each) => network?.includes(each))).toEqual([]);
});

test("the address of a range may be any in it, and a wide one is cut where kube-apiserver cuts it", () => {
  expect(serviceNetworkOf("10.96.7.9/12")).toMatchObject({
    range: "10.96.0.0/12",
    addressCount: 1_048_574,
    firstAddress: "10.96.0.1",
  });
});

test("the default network is routed nowhere", () => {
  expect(defaultServiceNetwork).toMatchObject({ addressCount: 65_534, firstAddress: "240.96.0.1" });
});

test.each(["10.0.0.0", "10.0.0.0/31", "10.0.0.0/33", "10.0.0.256/24", "fd00::/108", "", "web/24"])(
  "%s is no range of cluster IPs",
  (range) => {
    expect(serviceNetworkOf(range)).toBeUndefined();
  },
);
