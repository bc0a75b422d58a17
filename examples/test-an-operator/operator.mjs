import { AppsV1Api, CoreV1Api, makeInformer } from "@kubernetes/client-node";

const kind = "example.com/kind=shop";

/** An operator with the official client: every ConfigMap with the label `example.com/kind: shop` gets a Deployment. */
export async function startOperator(config) {
  const core = config.makeApiClient(CoreV1Api);
  const apps = config.makeApiClient(AppsV1Api);
  const list = () => core.listNamespacedConfigMap({ namespace: "default", labelSelector: kind });
  const informer = makeInformer(config, "/api/v1/namespaces/default/configmaps", list, kind);
  informer.on("add", (shop) =>
    apps.createNamespacedDeployment({ namespace: "default", body: deploymentOf(shop) }),
  );
  await informer.start();
  return { stop: () => informer.stop() };
}

function deploymentOf({ metadata, data }) {
  const { name, uid } = metadata;
  const matchLabels = { app: name };
  // The garbage collector deletes the Deployment with its ConfigMap.
  const ownerReferences = [{ apiVersion: "v1", kind: "ConfigMap", name, uid }];
  // In a simulated cluster annotations say how Pods behave: these do not end before their grace period is over.
  const annotations = { "sim.trimtab.dev/ignoreSIGTERM": "true" };
  return {
    metadata: { name, ownerReferences },
    spec: {
      replicas: Number(data.replicas),
      selector: { matchLabels },
      template: {
        metadata: { labels: matchLabels, annotations },
        spec: { terminationGracePeriodSeconds: 300, containers: [{ name: "shop", image: "shop" }] },
      },
    },
  };
}
