package example;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * Gives a test class a cluster for as long as it runs, and each of its tests an empty one, as a parameter of type
 * {@link TrimtabCluster} or {@link KubernetesClient}. Classes that run at the same time have different clusters; one that runs
 * later takes over a cluster that is free again.
 */
public final class TrimtabExtension
    implements BeforeAllCallback, BeforeEachCallback, AfterEachCallback, AfterAllCallback, ParameterResolver {
  private static final ExtensionContext.Namespace OURS = ExtensionContext.Namespace.create(TrimtabExtension.class);

  @Override
  public void beforeAll(ExtensionContext context) {
    context.getStore(OURS).put(TrimtabCluster.class, poolOf(context).take());
  }

  @Override
  public void beforeEach(ExtensionContext context) {
    TrimtabCluster cluster = clusterOf(context);
    cluster.reset();
    Config config = Config.fromKubeconfig(cluster.kubeconfig());
    context.getStore(OURS).put(KubernetesClient.class, new KubernetesClientBuilder().withConfig(config).build());
  }

  @Override
  public void afterEach(ExtensionContext context) {
    clientOf(context).close();
  }

  @Override
  public void afterAll(ExtensionContext context) {
    poolOf(context).giveBack(clusterOf(context));
  }

  @Override
  public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
    Class<?> type = parameter.getParameter().getType();
    return type == TrimtabCluster.class || type == KubernetesClient.class;
  }

  @Override
  public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
    return parameter.getParameter().getType() == TrimtabCluster.class ? clusterOf(context) : clientOf(context);
  }

  private static TrimtabCluster clusterOf(ExtensionContext context) {
    return context.getStore(OURS).get(TrimtabCluster.class, TrimtabCluster.class);
  }

  private static KubernetesClient clientOf(ExtensionContext context) {
    return context.getStore(OURS).get(KubernetesClient.class, KubernetesClient.class);
  }

  private static Pool poolOf(ExtensionContext context) {
    return context.getRoot().getStore(OURS).getOrComputeIfAbsent(Pool.class, key -> new Pool(), Pool.class);
  }

  /** The clusters of this run; JUnit closes it at the end. */
  private static final class Pool implements ExtensionContext.Store.CloseableResource {
    private final ConcurrentLinkedQueue<TrimtabCluster> all = new ConcurrentLinkedQueue<>();
    private final ConcurrentLinkedQueue<TrimtabCluster> free = new ConcurrentLinkedQueue<>();
    private final AtomicInteger count = new AtomicInteger();

    TrimtabCluster take() {
      TrimtabCluster found = free.poll();
      if (found != null) return found;
      String name = "junit-" + ProcessHandle.current().pid() + "-" + count.incrementAndGet();
      TrimtabCluster started = new TrimtabCluster(name);
      all.add(started);
      return started;
    }

    void giveBack(TrimtabCluster cluster) {
      free.add(cluster);
    }

    @Override
    public void close() {
      all.forEach(TrimtabCluster::stop);
    }
  }
}
