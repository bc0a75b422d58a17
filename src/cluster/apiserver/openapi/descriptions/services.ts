/** Services and what is behind them. */
export const serviceDescriptions: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  "core.v1.ServiceSpec": {
    selector: "Which Pods get the traffic, by exact labels.",
    ports: "The ports of the Service.",
    type: "ClusterIP, NodePort, LoadBalancer or ExternalName.",
    clusterIP: "The address inside the cluster; None for a headless Service.",
    clusterIPs: "All addresses inside the cluster.",
    externalIPs: "Further addresses that lead here.",
    externalName: "The name that an ExternalName Service stands for.",
    sessionAffinity: "Whether a client keeps getting the same Pod.",
    publishNotReadyAddresses: "Whether Pods that are not ready count too.",
    internalTrafficPolicy: "Whether traffic from inside stays on its node.",
    externalTrafficPolicy: "Whether traffic from outside stays on its node.",
  },
  "core.v1.ServicePort": {
    name: "The port's name; needed when there are several.",
    port: "The port of the Service.",
    targetPort: "The port of the Pods, by number or name.",
    nodePort: "The port of the nodes that leads here.",
    protocol: "TCP, UDP or SCTP.",
  },
  "discovery.v1.EndpointSlice": {
    addressType: "IPv4, IPv6 or FQDN.",
    endpoints: "The addresses, and whether they are ready.",
    ports: "The ports of all of them.",
  },
};
