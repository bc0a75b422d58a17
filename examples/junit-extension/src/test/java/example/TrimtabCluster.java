package example;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** A cluster in the background, by its name. */
public final class TrimtabCluster {
  private final String name;
  private boolean isUsed;

  TrimtabCluster(String name) {
    this.name = name;
    trimtab("up", "--name", name, "--detach", "--nodes", "2");
  }

  /** What any client needs to connect. */
  public String kubeconfig() {
    try {
      for (JsonNode each : new ObjectMapper().readTree(trimtab("list", "--json")))
        if (each.get("name").asText().equals(name)) return Files.readString(Path.of(each.get("kubeconfig").asText()));
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
    throw new IllegalStateException("there is no cluster " + name);
  }

  /** Lets time pass at once. */
  public void step(Duration duration) {
    trimtab("time", "step", duration.toMillis() + "ms", "--name", name);
  }

  /** Empties the cluster, unless no test has used it yet. */
  void reset() {
    if (isUsed) trimtab("reset", name);
    isUsed = true;
  }

  void stop() {
    trimtab("stop", name);
  }

  /** How trimtab is started: TRIMTAB=trimtab, say, where it is installed. Without it, the program of this clone is. */
  private static List<String> program() {
    String given = System.getenv("TRIMTAB");
    if (given != null) return List.of(given.split(" "));
    return List.of("node", Path.of("../../dist/cli/main.js").toAbsolutePath().toString());
  }

  private static String trimtab(String... words) {
    List<String> command = new ArrayList<>(program());
    command.addAll(List.of(words));
    try {
      Process process = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
      String output = new String(process.getInputStream().readAllBytes());
      int code = process.waitFor();
      if (code != 0) throw new IllegalStateException(String.join(" ", command) + " ended with " + code);
      return output;
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(interrupted);
    }
  }
}
