import type { TypeDescriptions } from "../kind-presentation.ts";

export const containerDescriptions: TypeDescriptions = {
  "core.v1.Container": {
    about: "One container of a Pod: its image, and how to run it.",
    fields: {
      name: "The container's name, unique in the Pod.",
      image: "The image to run.",
      command: "The command to run instead of the image's entry point.",
      args: "Arguments for the command, or for the image's entry point.",
      workingDir: "The working directory.",
      ports: "Ports the container listens on.",
      env: "Environment variables.",
      envFrom: "ConfigMaps and Secrets whose entries become environment variables.",
      resources: "The resources that the container requests, and their limits.",
      restartPolicy: "Always makes an init container a sidecar.",
      volumeMounts: "Where volumes are mounted in the container.",
      livenessProbe: "The container is restarted when this probe fails.",
      readinessProbe: "The Pod gets no traffic from Services while this probe fails.",
      startupProbe: "The other probes start after this one has succeeded once.",
      lifecycle: "Hooks that run after the start and before the end of the container.",
      imagePullPolicy: "When the image is pulled: Always, IfNotPresent or Never.",
      securityContext: "User, group and privileges.",
      stdin: "Whether the container's standard input is kept open.",
      tty: "Whether the container gets a terminal.",
    },
  },
  "core.v1.ContainerPort": {
    fields: {
      name: "A name that Services can refer to.",
      containerPort: "The port the container listens on.",
      hostPort: "The port of the node that is forwarded to the container.",
      protocol: "TCP, UDP or SCTP.",
    },
  },
  "core.v1.EnvVar": {
    fields: {
      name: "The name of the variable.",
      value: "The value of the variable.",
      valueFrom: "The source of the value, if it is not given here.",
    },
  },
  "core.v1.VolumeMount": {
    fields: {
      name: "The name of the volume.",
      mountPath: "Where the volume is mounted in the container.",
      readOnly: "Whether the volume is mounted read-only.",
      subPath: "The path within the volume that is mounted; its root by default.",
    },
  },
  "core.v1.ResourceRequirements": {
    about: "The resources that a container requests, and their limits.",
    fields: {
      requests: "The resources that the container needs; the scheduler picks a node that has them left.",
      limits: "The resources that the container may not exceed.",
    },
  },
  "core.v1.Probe": {
    about: "A periodic check of a container, and how its results are counted.",
    fields: {
      initialDelaySeconds: "How long to wait before the first check.",
      periodSeconds: "How often to check.",
      timeoutSeconds: "How long one check may take.",
      successThreshold: "How many successful checks in a row count as success.",
      failureThreshold: "How many failed checks in a row count as failure.",
    },
  },
  "core.v1.ProbeHandler": {
    fields: {
      exec: "Runs a command; exit code 0 is success.",
      httpGet: "Sends an HTTP GET request; 200 to 399 is success.",
      tcpSocket: "Opens a TCP connection.",
      grpc: "Calls the gRPC health service.",
    },
  },
  "core.v1.ContainerStatus": {
    fields: {
      name: "The name of the container.",
      state: "Whether the container is waiting, running or terminated.",
      lastState: "The state before the last restart.",
      ready: "Whether the container is ready.",
      restartCount: "How often the container was restarted.",
      started: "Whether the container has started, by its startup probe if it has one.",
      image: "The image that runs.",
    },
  },
  "core.v1.ContainerStateTerminated": {
    fields: {
      exitCode: "The exit code of the container.",
      signal: "The signal that ended the container.",
      reason: "The reason, as one CamelCase word.",
      finishedAt: "When the container terminated.",
    },
  },
  "core.v1.ContainerStateWaiting": {
    fields: {
      reason: "The reason, as one CamelCase word.",
    },
  },
  "core.v1.SecretKeySelector": {
    fields: {
      key: "The key of the entry in the Secret.",
      optional: "Whether the Secret or the entry may be missing.",
    },
  },
  "core.v1.LocalObjectReference": {
    fields: {
      name: "The name of an object in the same namespace.",
    },
  },
};
