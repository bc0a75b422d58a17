// What a program with client-go does: test/clients/describe-client.ts says what each command prints.
package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"strconv"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	appsapply "k8s.io/client-go/applyconfigurations/apps/v1"
	coreapply "k8s.io/client-go/applyconfigurations/core/v1"
	metaapply "k8s.io/client-go/applyconfigurations/meta/v1"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/tools/clientcmd"
)

type program struct {
	config    *rest.Config
	client    kubernetes.Interface
	namespace string
}

func main() {
	if err := run(os.Args[1], os.Args[2], os.Args[3:]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(command, namespace string, words []string) error {
	config, err := clientcmd.BuildConfigFromFlags("", os.Getenv("KUBECONFIG"))
	if err != nil {
		return err
	}
	client, err := kubernetes.NewForConfig(config)
	if err != nil {
		return err
	}
	p := program{config: config, client: client, namespace: namespace}
	ctx := context.Background()
	switch command {
	case "watch":
		return p.watch(ctx)
	case "refusals":
		return p.refusals(ctx)
	case "apply":
		return p.apply(ctx, words[0], words[1], len(words) > 2)
	case "logs":
		return p.logs(ctx, words[0], len(words) > 1)
	case "idle":
		return p.idle(ctx)
	case "dynamic-widgets":
		return p.dynamicWidgets(ctx)
	case "typed-widgets":
		return p.typedWidgets(ctx)
	case "apply-widget":
		size, err := strconv.ParseInt(words[1], 10, 64)
		if err != nil {
			return err
		}
		return p.applyWidget(ctx, words[0], size, len(words) > 2)
	}
	return fmt.Errorf("no command %s", command)
}

func (p program) watch(ctx context.Context) error {
	factory := informers.NewSharedInformerFactoryWithOptions(p.client, 0, informers.WithNamespace(p.namespace))
	pods := factory.Core().V1().Pods().Informer()
	say := func(what string) func(any) {
		return func(object any) { fmt.Println(what, object.(*corev1.Pod).Name) }
	}
	if _, err := pods.AddEventHandler(cache.ResourceEventHandlerFuncs{AddFunc: say("added"), DeleteFunc: say("deleted")}); err != nil {
		return err
	}
	factory.Start(ctx.Done())
	if !cache.WaitForCacheSync(ctx.Done(), pods.HasSynced) {
		return fmt.Errorf("the informer never synced")
	}
	fmt.Println("synced", len(pods.GetStore().List()))
	_, err := io.Copy(io.Discard, os.Stdin)
	return err
}

func (p program) refusals(ctx context.Context) error {
	maps := p.client.CoreV1().ConfigMaps(p.namespace)
	_, err := maps.Get(ctx, "nowhere", metav1.GetOptions{})
	fmt.Println("not found", apierrors.IsNotFound(err))

	first := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: "refusals"}}
	stale, err := maps.Create(ctx, first, metav1.CreateOptions{})
	if err != nil {
		return err
	}
	_, err = maps.Create(ctx, first, metav1.CreateOptions{})
	fmt.Println("already exists", apierrors.IsAlreadyExists(err))

	changed := stale.DeepCopy()
	changed.Data = map[string]string{"changed": "once"}
	if _, err = maps.Update(ctx, changed, metav1.UpdateOptions{}); err != nil {
		return err
	}
	stale.Data = map[string]string{"changed": "late"}
	_, err = maps.Update(ctx, stale, metav1.UpdateOptions{})
	fmt.Println("conflict", apierrors.IsConflict(err))

	_, err = maps.Create(ctx, &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: "No Name"}}, metav1.CreateOptions{})
	fmt.Println("invalid", apierrors.IsInvalid(err))
	return nil
}

func (p program) apply(ctx context.Context, manager, replicas string, force bool) error {
	size, err := strconv.ParseInt(replicas, 10, 32)
	if err != nil {
		return err
	}
	labels := map[string]string{"app": "applied"}
	wanted := appsapply.Deployment("applied", p.namespace).WithSpec(appsapply.DeploymentSpec().
		WithReplicas(int32(size)).
		WithSelector(metaapply.LabelSelector().WithMatchLabels(labels)).
		WithTemplate(coreapply.PodTemplateSpec().WithLabels(labels).WithSpec(coreapply.PodSpec().
			WithContainers(coreapply.Container().WithName("web").WithImage("web")))))
	options := metav1.ApplyOptions{FieldManager: manager, Force: force}
	applied, err := p.client.AppsV1().Deployments(p.namespace).Apply(ctx, wanted, options)
	if apierrors.IsConflict(err) {
		fmt.Println("conflict:", err)
		return nil
	}
	if err != nil {
		return err
	}
	fmt.Println("applied", *applied.Spec.Replicas)
	return nil
}

func (p program) logs(ctx context.Context, pod string, follow bool) error {
	stream, err := p.client.CoreV1().Pods(p.namespace).GetLogs(pod, &corev1.PodLogOptions{Follow: follow}).Stream(ctx)
	if err != nil {
		return err
	}
	defer stream.Close()
	_, err = io.Copy(os.Stdout, stream)
	return err
}
