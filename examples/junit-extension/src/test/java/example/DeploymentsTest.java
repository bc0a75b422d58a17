package example;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.DeploymentBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Runs beside the other class, in another cluster. */
@ExtendWith(TrimtabExtension.class)
class DeploymentsTest {
  @Test
  void aDeploymentBecomesAvailable(KubernetesClient client, TrimtabCluster cluster) {
    Deployment web =
        new DeploymentBuilder()
            .withNewMetadata().withName("web").endMetadata()
            .withNewSpec()
            .withReplicas(2)
            .withNewSelector().withMatchLabels(Map.of("app", "web")).endSelector()
            .withNewTemplate()
            .withNewMetadata().withLabels(Map.of("app", "web")).endMetadata()
            .withNewSpec().addNewContainer().withName("web").withImage("web").endContainer().endSpec()
            .endTemplate()
            .endSpec()
            .build();
    var deployments = client.apps().deployments().inNamespace("default");
    deployments.resource(web).create();
    // Simulated Pods start within this time.
    cluster.step(Duration.ofSeconds(5));
    var available = deployments.withName("web").waitUntilReady(2, TimeUnit.MINUTES);
    assertEquals(2, available.getStatus().getAvailableReplicas());
    var pods = client.pods().inNamespace("default").withLabel("app", "web").list().getItems();
    assertTrue(pods.stream().allMatch(pod -> pod.getStatus().getPhase().equals("Running")));
  }
}
