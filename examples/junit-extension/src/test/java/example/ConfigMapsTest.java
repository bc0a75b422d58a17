package example;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Both tests create the same ConfigMap: neither sees that of the other. */
@ExtendWith(TrimtabExtension.class)
class ConfigMapsTest {
  @Test
  void oneTestCreatesIt(KubernetesClient client) {
    createSettings(client, "one");
  }

  @Test
  void soDoesTheOther(KubernetesClient client) {
    createSettings(client, "other");
  }

  private static void createSettings(KubernetesClient client, String by) {
    var maps = client.configMaps().inNamespace("default");
    assertNull(maps.withName("settings").get());
    ConfigMap settings =
        new ConfigMapBuilder().withNewMetadata().withName("settings").endMetadata().withData(Map.of("by", by)).build();
    maps.resource(settings).create();
    assertEquals(by, maps.withName("settings").get().getData().get("by"));
  }
}
