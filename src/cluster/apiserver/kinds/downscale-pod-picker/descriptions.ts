import type { TypeDescriptions } from "../kind-presentation.ts";

export const pickerDescriptions: TypeDescriptions = {
  "apps.v1.DownscalePodPicker": {
    about: "A service that is asked which Pods to delete first when the workload is scaled down.",
    fields: {
      http: "The picker speaks HTTP. Exactly one protocol must be given.",
      grpc: "The picker speaks gRPC. Exactly one protocol must be given.",
      tls: "Whose certificate the picker may have, and the certificate that it is shown. Needs the scheme HTTPS, or gRPC with tls.",
      maxRetries: "How often a failed request is retried, within the same timeout: 0 to 10.",
      timeoutSeconds: "How long all attempts may take together: 1 to 30 seconds.",
    },
  },
  "apps.v1.HTTPPodPicker": {
    about: "The address of a picker that speaks HTTP.",
    fields: {
      host: "The name of a Service, a host name or an IP address; no scheme and no port.",
      port: "A port number, or the name of a port of the Service that host names.",
      path: "The path that requests are posted to; may contain a query.",
      scheme: "HTTP or HTTPS.",
      httpHeaders: "Headers to send with every request. A name may be repeated.",
    },
  },
  "apps.v1.GRPCPodPicker": {
    about: "The address of a picker that speaks gRPC.",
    fields: {
      host: "The name of a Service, a host name or an IP address; no scheme and no port.",
      port: "A port number, or the name of a port of the Service that host names.",
      tls: "Whether the connection is encrypted with TLS.",
      metadata: "Metadata to send with every request.",
    },
  },
  "apps.v1.PodPickerHeader": {
    about: "A header, in gRPC a metadata entry, that is sent with every request to a picker.",
    fields: {
      name: "The name of the header.",
      value: "The value of the header.",
      valueFrom: "The source of the value, if it is not given here.",
    },
  },
  "apps.v1.PodPickerHeaderSource": {
    about: "The source of a header's value.",
    fields: {
      secretKeyRef: "A key of a Secret in the workload's namespace.",
    },
  },
  "apps.v1.PodPickerTLS": {
    about:
      "How the TLS connection to a picker is verified. Secrets are read from the workload's namespace for every call.",
    fields: {
      caSecretRef:
        "The only CAs that may have signed the picker's certificate, as PEM; default: those of the controller.",
      clientCertificateSecretRef:
        "A Secret of the type kubernetes.io/tls with the certificate that is shown to the picker.",
      serverName: "The name that the picker's certificate has to be valid for; default: the host.",
    },
  },
  "apps.v1.PodPickerCASecretReference": {
    about: "A key of a Secret that has the certificates of CAs.",
    fields: {
      name: "The name of the Secret.",
      key: "The key of the certificates.",
    },
  },
};
