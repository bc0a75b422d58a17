import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.DeploymentBuilder;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.LogWatch;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import java.util.Map;

/** What a program with fabric8 does: test/clients/describe-client.ts says what each command prints. */
public class Client {
  public static void main(String[] words) throws Exception {
    String namespace = words[1];
    // A Java program takes long to get going on a busy machine; 10 seconds are too few there.
    Config config = new ConfigBuilder().withConnectionTimeout(60_000).withRequestTimeout(60_000).build();
    try (KubernetesClient client = new KubernetesClientBuilder().withConfig(config).build()) {
      switch (words[0]) {
        case "watch" -> watch(client, namespace);
        case "refusals" -> refusals(client, namespace);
        case "apply" -> apply(client, namespace, words);
        case "logs" -> logs(client, namespace, words);
        default -> throw new IllegalArgumentException("no command " + words[0]);
      }
    }
  }

  private static void watch(KubernetesClient client, String namespace) throws Exception {
    ResourceEventHandler<Pod> handler = new ResourceEventHandler<>() {
      @Override
      public void onAdd(Pod pod) {
        say("added " + pod.getMetadata().getName());
      }

      @Override
      public void onUpdate(Pod before, Pod after) {}

      @Override
      public void onDelete(Pod pod, boolean unknown) {
        say("deleted " + pod.getMetadata().getName());
      }
    };
    try (SharedIndexInformer<Pod> pods = client.pods().inNamespace(namespace).inform(handler)) {
      say("synced " + pods.getStore().list().size());
      System.in.readAllBytes();
    }
  }

  private static void refusals(KubernetesClient client, String namespace) {
    var maps = client.configMaps().inNamespace(namespace);
    say("not found " + (maps.withName("nowhere").get() == null));
    ConfigMap first = new ConfigMapBuilder().withNewMetadata().withName("refusals").endMetadata().build();
    ConfigMap stale = maps.resource(first).create();
    say("already exists " + (codeOf(() -> maps.resource(first).create()) == 409));
    maps.resource(new ConfigMapBuilder(stale).addToData("changed", "once").build()).update();
    ConfigMap late = new ConfigMapBuilder(stale).addToData("changed", "late").build();
    String read = stale.getMetadata().getResourceVersion();
    say("conflict " + (codeOf(() -> maps.resource(late).lockResourceVersion(read).update()) == 409));
    ConfigMap nameless = new ConfigMapBuilder().withNewMetadata().withName("No Name").endMetadata().build();
    say("invalid " + (codeOf(() -> maps.resource(nameless).create()) == 422));
  }

  private static void apply(KubernetesClient client, String namespace, String[] words) {
    Map<String, String> labels = Map.of("app", "applied");
    Deployment wanted = new DeploymentBuilder()
        .withNewMetadata().withName("applied").withNamespace(namespace).endMetadata()
        .withNewSpec()
        .withReplicas(Integer.valueOf(words[3]))
        .withNewSelector().withMatchLabels(labels).endSelector()
        .withNewTemplate()
        .withNewMetadata().withLabels(labels).endMetadata()
        .withNewSpec().addNewContainer().withName("web").withImage("web").endContainer().endSpec()
        .endTemplate()
        .endSpec()
        .build();
    PatchContext context = new PatchContext.Builder()
        .withPatchType(PatchType.SERVER_SIDE_APPLY)
        .withFieldManager(words[2])
        .withForce(words.length > 4)
        .build();
    try {
      Deployment applied = client.resource(wanted).patch(context);
      say("applied " + applied.getSpec().getReplicas());
    } catch (KubernetesClientException error) {
      if (error.getCode() != 409) throw error;
      say("conflict: " + error.getStatus().getMessage());
    }
  }

  private static void logs(KubernetesClient client, String namespace, String[] words) throws Exception {
    var pod = client.pods().inNamespace(namespace).withName(words[2]);
    if (words.length == 3) {
      System.out.print(pod.getLog());
      System.out.flush();
      return;
    }
    try (LogWatch log = pod.watchLog(System.out)) {
      System.in.readAllBytes();
    }
  }

  private static int codeOf(Runnable call) {
    try {
      call.run();
      return 0;
    } catch (KubernetesClientException error) {
      return error.getCode();
    }
  }

  private static void say(String line) {
    System.out.println(line);
    System.out.flush();
  }
}
