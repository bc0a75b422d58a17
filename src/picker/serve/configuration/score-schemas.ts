import {
  anyText,
  choice,
  type DocumentOf,
  either,
  exactlyOneOf,
  flag,
  integer,
  map,
  record,
  text,
} from "../../../api/documents/document-schema.ts";
import { type FieldError, invalid } from "../../../api/field-error.ts";
import { dns1123SubdomainProblems, portNameProblems } from "../../../api/names.ts";
import { qualifiedNameProblems } from "../../../api/labels/label-syntax.ts";
import { queryProblems } from "./query-template.ts";

const clientTls = record("How TLS is verified.", {
  caFile: text("The CA of the server's certificate (PEM); those of the system unless said otherwise."),
  certificateFile: text("The client certificate to show (PEM)."),
  keyFile: text("The key of the client certificate (PEM)."),
  serverName: text("The name in the server's certificate; the host unless said otherwise."),
  insecureSkipVerify: flag("Accepts any certificate."),
});

const bearerTokenFile = text("The file of a token that is sent as `Authorization: Bearer`.");

const prometheus = record(
  "An instant query of Prometheus, or of a server with its HTTP API.",
  {
    url: text("`http://HOST:PORT` or `https://HOST:PORT`, with the path before `/api/v1`.", {
      check: urlErrors,
    }),
    query: text(
      'The query. `$namespace` and `$workload` are names, and `$pods` is an expression that matches the names of the Pods: `pod=~"$pods"`.',
      { check: (query, path) => queryProblems(query).map((problem) => invalid(path, query, problem)) },
    ),
    podLabel: text("The label with the name of the Pod; `pod` unless said otherwise."),
    bearerTokenFile,
    basicAuth: record(
      "A name and a password.",
      { username: text("The name."), passwordFile: text("The file of the password.") },
      { required: ["username", "passwordFile"] },
    ),
    tls: clientTls,
  },
  { required: ["url", "query"] },
);

const port = either("The port of the container.", "must be a port from 1 to 65535, or the name of one", [
  integer("Its number.", [1, 65_535]),
  text("Its name.", {
    check: (name, path) => portNameProblems(name).map((problem) => invalid(path, name, problem)),
  }),
]);

/** How Pods are asked. */
const podEndpoint = {
  port,
  scheme: choice("`http` unless said otherwise.", ["http", "https"]),
  bearerTokenFile,
  tls: clientTls,
};

const absolutePath = (description: string) =>
  text(description, {
    pattern: "^/[^\\s#]*$",
    errorMessage: "must begin with / and have no spaces or #",
  });

const podMetrics = record(
  "The metrics that Pods serve in the text format of Prometheus.",
  {
    ...podEndpoint,
    path: absolutePath("The path of the metrics; `/metrics` unless said otherwise."),
    metric: text("The name of the metric. Samples with different labels are added up.", {
      pattern: "^[a-zA-Z_:][a-zA-Z0-9_:]*$",
      errorMessage: "must be the name of a metric, such as vllm:num_requests_running",
    }),
    labels: map("Only samples with these labels count.", anyText("The value of the label.")),
  },
  { required: ["port", "metric"] },
);

const podHttp = record(
  "A number in what Pods answer to `GET`.",
  {
    ...podEndpoint,
    path: absolutePath("The path."),
    pointer: anyText(
      "Where the number is in the JSON of the answer, as a JSON pointer: `/queue/length`. Empty: the answer is a number.",
      { pattern: "^(/([^~]|~[01])*)?$", errorMessage: "must be a JSON pointer, such as /queue/length" },
    ),
  },
  { required: ["port", "path"] },
);

const resourceMetrics = record(
  "What Pods use, by `metrics.k8s.io`: cores or bytes, of all containers together.",
  {
    resource: choice("Which.", ["cpu", "memory"]),
    container: text("Only this container."),
  },
  { required: ["resource"] },
);

const customMetrics = record(
  "A metric of the Pods, by `custom.metrics.k8s.io`.",
  {
    metric: text("Its name.", {
      pattern: "^[a-zA-Z_:][a-zA-Z0-9_:.-]*$",
      errorMessage: "must be the name of a metric, such as http_requests_per_second",
    }),
    version: choice("The version of the API; `v1beta1` unless said otherwise.", ["v1beta1", "v1beta2"]),
  },
  { required: ["metric"] },
);

const annotation = record(
  "A number in an annotation that the application keeps on its Pod.",
  {
    key: text("The annotation.", {
      check: (key, path) => qualifiedNameProblems(key).map((problem) => invalid(path, key, problem)),
    }),
  },
  { required: ["key"] },
);

const sources = { prometheus, podMetrics, podHttp, resourceMetrics, customMetrics, annotation };

/** Where the number of a Pod comes from: exactly one source. */
export const scoreSchema = record(
  "How busy a Pod is: the lowest are removed first.",
  sources,
  exactlyOneOf(Object.keys(sources)),
);

export type ScoreDocument = DocumentOf<typeof scoreSchema>;
type Chosen<Name extends keyof ScoreDocument> = NonNullable<ScoreDocument[Name]>;
export type PrometheusSource = Chosen<"prometheus">;
export type PodMetricsSource = Chosen<"podMetrics">;
export type PodHttpSource = Chosen<"podHttp">;
export type ResourceMetricsSource = Chosen<"resourceMetrics">;
export type CustomMetricsSource = Chosen<"customMetrics">;
export type AnnotationSource = Chosen<"annotation">;
/** How Pods are asked. */
export type PodEndpoint = Pick<PodHttpSource, "port" | "scheme" | "bearerTokenFile" | "tls">;
export type ClientTls = DocumentOf<typeof clientTls>;

/** A URL without a name and a password, which would be secrets in a file that is no Secret. */
function urlErrors(url: string, path: string): readonly FieldError[] {
  const message = "must be a URL, such as http://prometheus.monitoring.svc:9090";
  if (!URL.canParse(url)) return [invalid(path, url, message)];
  const { protocol, username, password, search, hash, hostname } = new URL(url);
  if (username !== "" || password !== "")
    return [invalid(path, "…", "must have no password: use basicAuth, whose password is in a file")];
  if (protocol !== "http:" && protocol !== "https:") return [invalid(path, url, message)];
  if (search !== "" || hash !== "") return [invalid(path, url, "must have no ? and no #")];
  const isAddress = /^[\d.]+$|^\[/.test(hostname);
  return isAddress || dns1123SubdomainProblems(hostname).length === 0 ? [] : [invalid(path, url, message)];
}
