import { type KubectlSession, refused } from "./kubectl-session.ts";

/** Its finalizer keeps it, and so its log, after it has ended: however late its log is followed, it is there. */
const talker = `run talker --image=nginx --annotations=sim.trimtab.dev/log='hello' --overrides='{"metadata":{"finalizers":["example.com/hold"]},"spec":{"nodeName":"node-5"}}'`;

const limits = `
apiVersion: v1
kind: LimitRange
metadata: {name: usual}
spec:
  limits:
    - type: Container
      default: {memory: 256Mi}
      max: {memory: 512Mi}
`;

const claim = `
apiVersion: v1
kind: PersistentVolumeClaim
metadata: {name: data}
spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}
`;

const storing = `
apiVersion: v1
kind: Pod
metadata: {name: web, annotations: {sim.trimtab.dev/startDelay: 0s}}
spec:
  nodeSelector: {kubernetes.io/hostname: node-5}
  containers: [{name: app, image: app:1}]
  volumes: [{name: data, persistentVolumeClaim: {claimName: data}}]
`;

const labelled = (name: string) => `
apiVersion: v1
kind: ConfigMap
metadata: {name: ${name}, labels: {team: blue}}
`;

const readerRole = `
apiVersion: rbac.authorization.k8s.io/v1
kind: Role
metadata: {name: reader, namespace: tidying}
rules: [{apiGroups: [""], resources: [pods], verbs: [get]}]
`;

/** What runs nowhere and is answered all the same. */
export const simulatedSessions: readonly KubectlSession[] = [
  {
    name: "quotas and limits are held and shown",
    namespace: "rationing",
    commands: [
      "create quota few --hard=pods=1,count/deployments.apps=1,limits.memory=1Gi",
      "wait --for=jsonpath='{.status.hard.pods}'=1 quota/few --timeout=10s",
      "describe quota few",
      refused("run web --image=nginx"),
      { words: "apply -f -", input: limits },
      "run web --image=nginx",
      refused("run more --image=nginx"),
      "create deployment shop --image=shop:1",
      refused("create deployment stall --image=stall:1"),
      "get quota",
      "describe quota few",
      "describe limits usual",
      "get pod web -o jsonpath='{.spec.containers[0].resources}'",
      "wait --for=condition=ReplicaFailure deployment/shop --timeout=10s",
      "describe namespace rationing",
    ],
  },
  {
    name: "a claim is bound where its Pod runs, grows, and goes after the Pod",
    namespace: "storing",
    commands: [
      "get storageclass",
      { words: "apply -f -", input: claim },
      "wait --for=jsonpath='{.status.phase}'=Pending pvc/data --timeout=10s",
      "get pvc",
      { words: "apply -f -", input: storing },
      "wait --for=condition=Ready pod/web --timeout=20s",
      "get pvc -o wide",
      "get pv",
      `patch pvc data -p '{"spec":{"resources":{"requests":{"storage":"2Gi"}}}}'`,
      "wait --for=jsonpath='{.status.capacity.storage}'=2Gi pvc/data --timeout=10s",
      "delete pvc data --wait=false",
      "get pvc",
      "delete pod web",
      "wait --for=delete pvc/data --timeout=10s",
      "get pvc",
    ],
  },
  {
    name: "what runs no container says what is simulated",
    namespace: "pretending",
    commands: [
      `run web --image=agnhost:2 --overrides='{"spec":{"nodeName":"node-5"}}' --port=80 --expose -- serve-hostname`,
      "wait --for=condition=Ready pod/web --timeout=10s",
      refused("exec web -- ls"),
      refused("exec web -c other -- ls"),
      refused("attach web"),
      refused("port-forward web 8080:80"),
      refused("cp web:/etc/passwd passwd"),
      "debug web --image=busybox -c debugger",
      `wait --for=jsonpath='{.status.ephemeralContainerStatuses[0].name}'=debugger pod/web --timeout=10s`,
      "logs web -c debugger",
      "get --raw /api/v1/namespaces/pretending/pods/web/proxy/",
      "get --raw /api/v1/namespaces/pretending/services/web:80/proxy/",
      refused("get --raw /api/v1/namespaces/pretending/services/nobody/proxy/"),
    ],
  },
  {
    name: "users are told apart, impersonated and asked about",
    namespace: "acting",
    commands: [
      "create serviceaccount robot",
      "create role reader --verb=get,list --resource=pods,pods/log",
      "create rolebinding readers --role=reader --serviceaccount=acting:robot --group=auditors",
      "get roles,rolebindings",
      "get rolebindings -o wide",
      "auth can-i list pods --as=system:serviceaccount:acting:robot",
      refused("auth can-i delete pods --as=system:serviceaccount:acting:robot"),
      "create -f review.yaml -o jsonpath='{.status.allowed}'",
      "auth can-i get pods --subresource=log --as=jane --as-group=auditors",
      "auth can-i --list --as=jane --as-group=auditors",
      "get pods --as=jane --as-group=auditors",
      refused("get secrets --as=jane --as-group=auditors"),
      refused("get nodes --as=jane"),
      refused("auth whoami --as=jane --as-group=auditors", { before: "1.28" }), // older ones know only a beta of it
      "create token robot --duration=1h --audience=vault",
      refused("create token robot --duration=1m"),
      refused("create token nobody"),
    ],
  },
  {
    name: "the roles of Kubernetes are bound, and a user grants only what the user may do",
    namespace: "entrusting",
    commands: [
      "get clusterroles -l kubernetes.io/bootstrapping=rbac-defaults -o name",
      "get clusterrolebindings -o wide",
      "create rolebinding editors --clusterrole=edit --user=jane",
      "create rolebinding admins --clusterrole=admin --user=boss",
      "auth can-i create deployments --as=jane",
      "auth can-i get secrets --as=jane",
      refused("auth can-i create rolebindings --as=jane"),
      refused("auth can-i create deployments -n default --as=jane"),
      "auth can-i create rolebindings --as=boss",
      "create rolebinding viewers --clusterrole=view --user=joe --as=boss",
      refused("create rolebinding masters --clusterrole=cluster-admin --user=joe --as=boss"),
      refused("create role nodes --verb=delete --resource=nodes --as=boss"),
      "get pods --as=joe",
      refused("get secrets --as=joe"),
      refused("get --raw /openid/v1/jwks --as=joe"),
      "get --raw /.well-known/openid-configuration --as=system:serviceaccount:entrusting:default",
    ],
  },
  {
    name: "objects are pruned, roles reconciled, and everything dumped",
    namespace: "tidying",
    commands: [
      { words: "apply -f -", input: `${labelled("a")}---${labelled("b")}` },
      { words: "apply --prune -l team=blue -f -", input: labelled("a") },
      "get configmaps -l team=blue",
      { words: "auth reconcile -f -", input: readerRole },
      { words: "auth reconcile -f -", input: readerRole },
      "get role reader -o jsonpath='{.rules}'",
      "run web --image=nginx",
      "wait --for=condition=Ready pod/web --timeout=10s",
      "cluster-info dump --namespaces=tidying --output-directory=dump",
    ],
  },
  {
    name: "logs are read",
    namespace: "logging",
    commands: [
      talker,
      "wait --for=condition=Ready pod/talker --timeout=10s",
      "logs talker",
      "logs talker --tail=1",
      "logs talker --timestamps --limit-bytes=31",
      "logs pod/talker -c talker --since=1h --prefix",
      "logs talker --all-containers",
      "logs -l run=talker",
      refused("logs talker --previous"),
      refused("logs talker -c other"),
      refused("logs nobody"),
      `run waiting --image=nginx --annotations=sim.trimtab.dev/imagePull=backoff --overrides='{"spec":{"nodeName":"node-5"}}'`,
      `wait --for=jsonpath='{.status.containerStatuses[0].state.waiting.reason}'=ErrImagePull pod/waiting --timeout=10s`,
      refused("logs waiting"),
      "create deployment shop --image=shop:1",
      "wait --for=condition=Available deployment/shop --timeout=10s",
      "logs deployment/shop --tail=1",
      "delete pod talker --wait=false",
      "logs -f talker",
    ],
  },
];
