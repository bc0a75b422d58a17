import { afterAll, beforeAll, expect, test } from "vitest";
import { openWebhookServer, type WebhookServer } from "../webhooks/webhook-server.ts";
import { describeWithKubectl } from "./describe-with-kubectl.ts";
import { output } from "./printed.ts";

const patch = [{ op: "add", path: "/metadata/labels", value: { by: "webhook" } }];
const labelling = { patchType: "JSONPatch", patch: Buffer.from(JSON.stringify(patch)).toString("base64") };

let server: WebhookServer;
beforeAll(async () => {
  server = await openWebhookServer(
    {
      check: ({ name = "", operation }) =>
        name.startsWith("bad") || operation === "DELETE"
          ? {
              allowed: false,
              status: { code: 403, reason: "Forbidden", message: `${operation} of ${name}?` },
            }
          : { warnings: [`${name} was looked at`] },
      label: ({ operation }) => (operation === "CREATE" ? labelling : {}),
    },
    ["hooks.hooks.svc"],
  );
});
afterAll(() => server.close());

describeWithKubectl(({ openNamespace }) => {
  test("webhooks deny, warn and patch what a person creates", { timeout: 180_000 }, async () => {
    const shell = await openNamespace("hooks");
    await output(shell, "create service clusterip hooks --tcp=443");
    await output(shell, `annotate service hooks sim.trimtab.dev/endpoint=127.0.0.1:${server.port}`);
    for (const [kind, path] of [
      ["ValidatingWebhookConfiguration", "check"],
      ["MutatingWebhookConfiguration", "label"],
    ] as const)
      await output(shell, "apply -f -", manifest(kind, path));
    const table = await output(shell, "get validatingwebhookconfigurations,mutatingwebhookconfigurations");
    expect(table).toMatch(/NAME +WEBHOOKS +AGE\n\S+check +1 /);

    const denied = await shell.run("create configmap bad");
    expect(denied.code).toBe(1);
    expect(denied.err).toContain('admission webhook "check.example.com" denied the request: CREATE of bad?');
    const warned = await shell.run("create configmap good");
    expect(warned).toMatchObject({ code: 0, err: "Warning: good was looked at\n" });
    expect(await output(shell, "get configmap good -o jsonpath={.metadata.labels.by}")).toBe("webhook");
    const kept = await shell.run("delete configmap good");
    expect(kept.err).toContain("(Forbidden)");
    expect(kept.err).toContain('admission webhook "check.example.com" denied the request: DELETE of good?');

    await output(shell, "delete validatingwebhookconfiguration check");
    await output(shell, "delete mutatingwebhookconfiguration label");
    await output(shell, "delete configmap good");
  });
});

function manifest(kind: string, path: string): string {
  const service = { namespace: "hooks", name: "hooks", path: `/${path}` };
  return JSON.stringify({
    apiVersion: "admissionregistration.k8s.io/v1",
    kind,
    metadata: { name: path },
    webhooks: [
      server.webhookAt(path, {
        clientConfig: { service, caBundle: server.caBundle },
        namespaceSelector: { matchLabels: { "kubernetes.io/metadata.name": "hooks" } },
      }),
    ],
  });
}
