{{/* Values that make no sense together, each with the sentence that says what to do. */}}
{{- define "trimtab.check" -}}
{{- if not .Values.image }}
{{- fail "image: name the image with the package in it, such as --set image=registry.example/trimtab:0.1.0; it has no default" }}
{{- end }}
{{- if .Values.scheduler.enabled }}
{{- fail "scheduler.enabled: there is no `trimtab scheduler` yet; leave it off" }}
{{- end }}
{{- if and .Values.steer.enabled .Values.controllers.enabled }}
{{- fail "controllers.enabled: the controllers do themselves what steer makes the stock ones do; set steer.enabled=false" }}
{{- end }}
{{- if and .Values.serviceMonitor.enabled .Values.controllers.enabled }}
{{- fail "serviceMonitor.enabled: the controllers have no Service; it is for steer" }}
{{- end }}
{{- if not (or .Values.steer.enabled .Values.controllers.enabled) }}
{{- fail "steer.enabled: nothing is left to install; enable steer or controllers" }}
{{- end }}
{{- end }}

{{/* The hosts of pickers as a list: --set picker.allow=HOST gives a string. */}}
{{- define "trimtab.pickers" -}}
{{- $allow := .Values.picker.allow }}
{{- if kindIs "string" $allow }}{{ $allow = compact (splitList "," $allow) }}{{ end }}
{{- toJson ($allow | default list) }}
{{- end }}

{{/* The flags of every program, as items of a list. */}}
{{- define "trimtab.flags" -}}
{{- $pickers := include "trimtab.pickers" . | fromJsonArray }}
{{- $gates := dict }}
{{- if $pickers }}{{ $_ := set $gates "DownscalePodPicker" true }}{{ end }}
{{- $gates = merge (deepCopy .Values.featureGates) $gates }}
{{- if $gates }}
{{- $given := list }}
{{- range $name, $on := $gates }}{{ $given = append $given (printf "%s=%t" $name $on) }}{{ end }}
- --feature-gates={{ join "," $given }}
{{- end }}
{{- range $pickers }}
- {{ printf "--picker-allow=%s" . }}
{{- end }}
{{- if ne .Values.logLevel "info" }}
- --log-level={{ .Values.logLevel }}
{{- end }}
{{- end }}

{{- define "trimtab.probes" -}}
livenessProbe:
  httpGet: { path: /livez, port: diagnostics, scheme: HTTPS }
readinessProbe:
  httpGet: { path: /readyz, port: diagnostics, scheme: HTTPS }
{{- end }}

{{- define "trimtab.securityContext" -}}
runAsNonRoot: true
runAsUser: 65532
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities:
  drop: [ALL]
{{- end }}

{{/* Binds a ClusterRole to a service account: dict with the keys root, role and account. */}}
{{- define "trimtab.binding" -}}
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata:
  name: {{ .role }}
roleRef:
  apiGroup: rbac.authorization.k8s.io
  kind: ClusterRole
  name: {{ .role }}
subjects:
  - kind: ServiceAccount
    name: {{ .account }}
    namespace: {{ .root.Release.Namespace }}
{{- end }}

{{/* The program that runs, which is also the name of its objects. */}}
{{- define "trimtab.program" -}}
{{ ternary "trimtab-steer" "trimtab-controllers" .Values.steer.enabled }}
{{- end }}
