import com.google.protobuf.CodedInputStream;
import com.google.protobuf.CodedOutputStream;
import io.grpc.Context;
import io.grpc.Contexts;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Server;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.ServerInterceptors;
import io.grpc.ServerServiceDefinition;
import io.grpc.Status;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.ServerCalls;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/**
 * A pod picker over gRPC. protoc generates Java from contract/picker.proto; two messages with two fields each are short
 * enough to be written by hand, so that this is one file.
 */
public final class Picker {
  record PickPodsRequest(int requested, List<String> candidates) {}

  record PickPodsResponse(List<String> chosen, List<String> tied) {}

  /** How many tasks each Pod has; your application fills it. */
  private final Map<String, Integer> tasks = new ConcurrentHashMap<>();

  /** Chooses the least busy Pods, and ties those that are equally busy at the cut. */
  PickPodsResponse pick(PickPodsRequest request) {
    if (request.requested() < 1) {
      throw Status.INVALID_ARGUMENT.withDescription("number_of_pods_requested must be at least 1").asRuntimeException();
    }
    List<String> pods = request.candidates();
    if (request.requested() >= pods.size()) {
      return new PickPodsResponse(pods, List.of());
    }
    // A copy, so that tasks that begin meanwhile do not change the order.
    Map<String, Integer> busy = Map.copyOf(tasks);
    int cut = pods.stream().map(pod -> busy.getOrDefault(pod, 0)).sorted().toList().get(request.requested() - 1);
    return new PickPodsResponse(
        pods.stream().filter(pod -> busy.getOrDefault(pod, 0) < cut).toList(),
        pods.stream().filter(pod -> busy.getOrDefault(pod, 0) == cut).toList());
  }

  ServerServiceDefinition service() {
    var method =
        MethodDescriptor.<PickPodsRequest, PickPodsResponse>newBuilder()
            .setType(MethodDescriptor.MethodType.UNARY)
            .setFullMethodName("trimtab.picker.v1.DownscalePodPicker/PickPods")
            .setRequestMarshaller(new RequestMarshaller())
            .setResponseMarshaller(new ResponseMarshaller())
            .build();
    return ServerServiceDefinition.builder("trimtab.picker.v1.DownscalePodPicker")
        .addMethod(
            method,
            ServerCalls.asyncUnaryCall(
                (request, observer) -> {
                  try {
                    observer.onNext(pick(request));
                    observer.onCompleted();
                  } catch (RuntimeException problem) {
                    observer.onError(problem);
                  }
                }))
        .build();
  }

  /** Lets callers in that send the token. */
  record TokenCheck(String token) implements ServerInterceptor {
    private static final Metadata.Key<String> AUTHORIZATION =
        Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER);

    @Override
    public <A, B> ServerCall.Listener<A> interceptCall(
        ServerCall<A, B> call, Metadata headers, ServerCallHandler<A, B> next) {
      String shown = headers.get(AUTHORIZATION);
      if (shown == null || !MessageDigest.isEqual(bytesOf(shown), bytesOf("Bearer " + token))) {
        call.close(Status.UNAUTHENTICATED.withDescription("no token"), new Metadata());
        return new ServerCall.Listener<>() {};
      }
      return Contexts.interceptCall(Context.current(), call, headers, next);
    }

    private static byte[] bytesOf(String text) {
      return text.getBytes(StandardCharsets.UTF_8);
    }
  }

  static final class RequestMarshaller implements MethodDescriptor.Marshaller<PickPodsRequest> {
    @Override
    public PickPodsRequest parse(InputStream stream) {
      try {
        CodedInputStream in = CodedInputStream.newInstance(stream);
        int requested = 0;
        List<String> candidates = new ArrayList<>();
        for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
          switch (tag) {
            case 1 << 3 -> requested = in.readInt32();
            case 2 << 3 | 2 -> candidates.add(in.readStringRequireUtf8());
            default -> in.skipField(tag);
          }
        }
        return new PickPodsRequest(requested, candidates);
      } catch (IOException problem) {
        throw Status.INVALID_ARGUMENT.withDescription("no question").withCause(problem).asRuntimeException();
      }
    }

    @Override
    public InputStream stream(PickPodsRequest request) {
      throw new UnsupportedOperationException("this program only answers");
    }
  }

  static final class ResponseMarshaller implements MethodDescriptor.Marshaller<PickPodsResponse> {
    @Override
    public InputStream stream(PickPodsResponse response) {
      try {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        CodedOutputStream out = CodedOutputStream.newInstance(bytes);
        for (String name : response.chosen()) out.writeString(1, name);
        for (String name : response.tied()) out.writeString(2, name);
        out.flush();
        return new ByteArrayInputStream(bytes.toByteArray());
      } catch (IOException problem) {
        throw new UncheckedIOException(problem);
      }
    }

    @Override
    public PickPodsResponse parse(InputStream stream) {
      throw new UnsupportedOperationException("this program only answers");
    }
  }

  public static void main(String[] arguments) throws Exception {
    Map<String, String> environment = System.getenv();
    int port = Integer.parseInt(environment.getOrDefault("PORT", "8080"));
    String host = environment.getOrDefault("HOST", "0.0.0.0");
    String token = environment.getOrDefault("TOKEN", "");
    if (token.isEmpty()) {
      throw new IllegalArgumentException("TOKEN is required");
    }
    var check = new TokenCheck(token);
    Server server =
        NettyServerBuilder.forAddress(new InetSocketAddress(host, port))
            .addService(ServerInterceptors.intercept(new Picker().service(), check))
            .build()
            .start();
    System.out.println("listening on " + server.getPort());
    Runtime.getRuntime().addShutdownHook(new Thread(() -> stop(server)));
    server.awaitTermination();
  }

  private static void stop(Server server) {
    try {
      server.shutdown().awaitTermination(5, TimeUnit.SECONDS);
    } catch (InterruptedException interrupted) {
      server.shutdownNow();
    }
  }
}
