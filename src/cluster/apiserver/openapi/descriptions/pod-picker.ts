/** The fields that only this server has, and the one they build on. */
export const pickerDescriptions: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  "apps.v1.DeploymentSpec": {
    podReplacementPolicy:
      "When the replacement of a terminating Pod is created during a rollout or scaling. TerminationStarted: as soon as it is asked to end, so for a while there may be more Pods than replicas plus surge. TerminationComplete: only when it has ended, so there never are. Unset, the strategy decides. Pods that somebody else deletes are replaced at once either way.",
    downscalePodPicker:
      "A service that is asked which Pods should go first whenever Pods of this Deployment are removed. It only breaks ties: Pods that are not ready, or cheaper to delete, still go before those it names. Handed on to the ReplicaSets; changing it starts no rollout.",
  },
  "apps.v1.ReplicaSetSpec": {
    downscalePodPicker:
      "A service that is asked which Pods should go first whenever this ReplicaSet shrinks. It only breaks ties: Pods that are not ready, or cheaper to delete, still go before those it names. Without an answer the usual order applies.",
  },
  "apps.v1.DownscalePodPicker": {
    http: "The picker speaks HTTP. Exactly one protocol must be given.",
    grpc: "The picker speaks gRPC. Exactly one protocol must be given.",
    maxRetries: "How often a failed question is asked again, within the same timeout: 0 to 10.",
    timeoutSeconds: "How long all attempts to ask may take together: 1 to 30 seconds.",
  },
  "apps.v1.HTTPPodPicker": {
    host: "The name of a Service, a host name or an IP address; no scheme and no port.",
    port: "A port number, or the name of a port of the Service that host names.",
    path: "The path that questions are posted to; may carry a query.",
    scheme: "HTTP or HTTPS.",
    httpHeaders: "Headers to send with every question. A name may be repeated.",
  },
  "apps.v1.GRPCPodPicker": {
    host: "The name of a Service, a host name or an IP address; no scheme and no port.",
    port: "A port number, or the name of a port of the Service that host names.",
    tls: "Whether the connection is encrypted.",
    metadata: "Metadata to send with every question.",
  },
  "apps.v1.PodPickerHeader": {
    name: "The name of the header.",
    value: "The value of the header.",
    valueFrom: "Where the value comes from, if it is not given here.",
  },
  "apps.v1.PodPickerHeaderSource": {
    secretKeyRef: "A key of a Secret in the workload's namespace.",
  },
};
