import type { OperatorSetup } from "./operator-cluster.ts";
import type { OperatorModule } from "./operator-module.ts";

export const kueue: OperatorModule = {
  name: "kueue",
  module: "sigs.k8s.io/kueue",
  program: "sigs.k8s.io/kueue/cmd/kueue",
  manifests: "config/default",
};

export const kueueSetup: OperatorSetup = {
  namespace: "kueue-system",
  serviceAccount: "kueue-controller-manager",
  webhookService: "kueue-webhook-service",
  certificateSecret: "kueue-webhook-server-cert",
  // Its extension API server keeps its certificates in the folder /visibility of the machine, and cannot be told another.
  prepare: (manifests) => manifests.filter(({ kind }) => kind !== "APIService"),
  settings: ({ folder, certificates, webhookPort }) => ({
    flags: [`--config=${folder}/configuration.yaml`],
    configuration: {
      apiVersion: "config.kueue.x-k8s.io/v1beta1",
      kind: "Configuration",
      namespace: "kueue-system",
      leaderElection: { leaderElect: true, resourceName: "kueue", resourceNamespace: "kueue-system" },
      internalCertManagement: {
        enable: true,
        webhookServiceName: "kueue-webhook-service",
        webhookSecretName: "kueue-webhook-server-cert",
      },
      webhook: { port: webhookPort, host: "127.0.0.1", certDir: certificates },
      metrics: { bindAddress: "0" },
      health: { healthProbeBindAddress: "0" },
      featureGates: { VisibilityOnDemand: false },
      integrations: { frameworks: ["batch/job"] },
    },
  }),
};
