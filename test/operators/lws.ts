import type { OperatorSetup } from "./operator-cluster.ts";
import type { OperatorModule } from "./operator-module.ts";

export const lws: OperatorModule = {
  name: "lws",
  module: "sigs.k8s.io/lws",
  program: "sigs.k8s.io/lws/cmd",
  manifests: "config/default",
};

export const lwsSetup: OperatorSetup = {
  namespace: "lws-system",
  serviceAccount: "lws-controller-manager",
  webhookService: "lws-webhook-service",
  certificateSecret: "lws-webhook-server-cert",
  settings: ({ folder, certificates, webhookPort }) => ({
    flags: [`--config=${folder}/configuration.yaml`],
    configuration: {
      apiVersion: "config.lws.x-k8s.io/v1alpha1",
      kind: "Configuration",
      leaderElection: { leaderElect: true },
      internalCertManagement: { enable: true },
      webhook: { port: webhookPort, host: "127.0.0.1", certDir: certificates },
      metrics: { bindAddress: "0" },
      health: { healthProbeBindAddress: "0" },
    },
  }),
};
