import { writeFileSync } from "node:fs";
import path from "node:path";
import {
  createCertificateAuthority,
  issueCertificate,
} from "../../src/machinery/certificates/certificate.ts";
import { WallClock } from "../../src/machinery/clock/wall-clock.ts";
import { systemRandom } from "../../src/machinery/random/system-random.ts";
import type { Manifest, OperatorModule } from "./operator-module.ts";
import type { OperatorSetup, Places } from "./operator-cluster.ts";

export const kuberay: OperatorModule = {
  name: "kuberay",
  module: "github.com/ray-project/kuberay/ray-operator",
  program: "github.com/ray-project/kuberay/ray-operator",
  manifests: "config/default-with-webhooks",
};

const namespace = "ray-system";
const webhookService = "kuberay-webhook-service";

export const kuberaySetup: OperatorSetup = {
  namespace,
  serviceAccount: "kuberay-operator",
  webhookService,
  // It cannot be told another.
  webhookPort: 9443,
  prepare: withCertificate,
  settings: () => ({
    flags: ["--metrics-addr=0", "--health-probe-bind-address=0", `--leader-election-namespace=${namespace}`],
    // Its own probes of heads and workers begin after ten seconds.
    env: { ENABLE_WEBHOOKS: "true", ENABLE_PROBES_INJECTION: "false" },
  }),
};

/** Does what cert-manager does, which the manifests expect: issues the certificate, and tells the webhooks its authority. */
function withCertificate(manifests: readonly Manifest[], { certificates }: Places): readonly Manifest[] {
  const [now, random] = [new WallClock().now(), systemRandom()];
  const authority = createCertificateAuthority(now, random);
  const host = `${webhookService}.${namespace}.svc`;
  const issued = issueCertificate(authority, {
    subject: { commonName: host },
    use: "server",
    hosts: [host],
    now,
    random,
  });
  writeFileSync(path.join(certificates, "tls.crt"), issued.certificate);
  writeFileSync(path.join(certificates, "tls.key"), issued.key);
  const caBundle = Buffer.from(authority.certificate).toString("base64");
  return manifests
    .filter(({ apiVersion }) => !apiVersion.startsWith("cert-manager.io/"))
    .map((manifest) => (isWebhooks(manifest) ? trusting(manifest, caBundle) : manifest));
}

interface Webhooks extends Manifest {
  readonly webhooks: readonly { readonly clientConfig: object }[];
}

const isWebhooks = (manifest: Manifest): manifest is Webhooks =>
  manifest.kind === "ValidatingWebhookConfiguration";

const trusting = (manifest: Webhooks, caBundle: string) => ({
  ...manifest,
  webhooks: manifest.webhooks.map((webhook) => ({
    ...webhook,
    clientConfig: { ...webhook.clientConfig, caBundle },
  })),
});
