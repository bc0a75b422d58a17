import { grouped, type TableCase, v1 } from "./table-case.cases.ts";

/** Services, and what leads to them. */
export const networkTables: readonly TableCase[] = [
  {
    name: "a Service inside the cluster",
    of: v1("Service"),
    object: {
      spec: {
        type: "ClusterIP",
        clusterIPs: ["10.96.0.9"],
        ports: [
          { port: 80, protocol: "TCP" },
          { port: 53, protocol: "UDP", nodePort: 30053 },
        ],
        selector: { app: "web" },
      },
    },
    want: ["ClusterIP", "10.96.0.9", "<none>", "80/TCP,53:30053/UDP", "AGE", "app=web"],
  },
  {
    name: "a load balancer without an address",
    of: v1("Service"),
    object: { spec: { type: "LoadBalancer", clusterIPs: ["10.96.0.9"] } },
    want: ["LoadBalancer", "10.96.0.9", "<pending>", "<none>", "AGE", "<none>"],
  },
  {
    name: "a load balancer with addresses",
    of: v1("Service"),
    object: {
      spec: { type: "LoadBalancer", clusterIP: "10.96.0.9", externalIPs: ["192.0.2.1"] },
      status: {
        loadBalancer: {
          ingress: [{ ip: "198.51.100.2" }, { hostname: "a.example" }, { ip: "198.51.100.2" }],
        },
      },
    },
    want: ["LoadBalancer", "10.96.0.9", "198.51.100.2,a.example,192.0.2.1", "<none>", "AGE", "<none>"],
  },
  {
    name: "a Service that is a name",
    of: v1("Service"),
    object: { spec: { type: "ExternalName", externalName: "db.example" } },
    want: ["ExternalName", "<none>", "db.example", "<none>", "AGE", "<none>"],
  },
  {
    name: "an Ingress",
    of: grouped("networking.k8s.io", "Ingress"),
    object: {
      spec: { ingressClassName: "nginx", tls: [{}], rules: [{ host: "a" }, { host: "b" }] },
      status: { loadBalancer: { ingress: [{ ip: "192.0.2.7" }] } },
    },
    want: ["nginx", "a,b", "192.0.2.7", "80, 443", "AGE"],
  },
  {
    name: "an Ingress for everything",
    of: grouped("networking.k8s.io", "Ingress"),
    object: { spec: {} },
    want: ["<none>", "*", "", "80", "AGE"],
  },
  {
    name: "endpoints, some of them counted only",
    of: v1("Endpoints"),
    object: {
      subsets: [
        { addresses: [{ ip: "10.0.0.1" }, { ip: "fd00::1" }], ports: [{ port: 80 }, { port: 443 }] },
        { addresses: [{ ip: "10.0.0.9" }] },
      ],
    },
    want: ["10.0.0.1:80,[fd00::1]:80,10.0.0.1:443 + 2 more...", "AGE"],
  },
  { name: "no endpoints", of: v1("Endpoints"), object: {}, want: ["<none>", "AGE"] },
  {
    name: "an endpoint slice",
    of: grouped("discovery.k8s.io", "EndpointSlice"),
    object: {
      addressType: "IPv4",
      ports: [{ port: 80 }, { name: "web" }, {}],
      endpoints: [{ addresses: ["10.0.0.1"] }, { addresses: ["10.0.0.2"] }],
    },
    want: ["IPv4", "80,web,*", "10.0.0.1,10.0.0.2", "AGE"],
  },
  {
    name: "an empty endpoint slice",
    of: grouped("discovery.k8s.io", "EndpointSlice"),
    object: { addressType: "IPv4", endpoints: [] },
    want: ["IPv4", "<unset>", "<unset>", "AGE"],
  },
  {
    name: "a network policy",
    of: grouped("networking.k8s.io", "NetworkPolicy"),
    object: { spec: { podSelector: {} } },
    want: ["<none>", "AGE"],
  },
  {
    name: "a class of Ingresses",
    of: grouped("networking.k8s.io", "IngressClass"),
    object: {
      spec: { controller: "example.com/c", parameters: { apiGroup: "acme.io", kind: "P", name: "x" } },
    },
    want: ["example.com/c", "P.acme.io/x", "AGE"],
  },
  {
    name: "an address",
    of: grouped("networking.k8s.io", "IPAddress"),
    object: { spec: { parentRef: { resource: "services", namespace: "default", name: "web" } } },
    want: ["services/default/web", "AGE"],
  },
  {
    name: "a range of addresses",
    of: grouped("networking.k8s.io", "ServiceCIDR"),
    object: { spec: { cidrs: ["10.0.0.0/8", "fd00::/64"] } },
    want: ["10.0.0.0/8,fd00::/64", "AGE"],
  },
];
