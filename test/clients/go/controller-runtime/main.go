// What a program with controller-runtime does: test/clients/describe-client.ts says what the first two commands print.
package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"strconv"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	appsapply "k8s.io/client-go/applyconfigurations/apps/v1"
	coreapply "k8s.io/client-go/applyconfigurations/core/v1"
	metaapply "k8s.io/client-go/applyconfigurations/meta/v1"
	toolscache "k8s.io/client-go/tools/cache"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
	"sigs.k8s.io/controller-runtime/pkg/log"
	"sigs.k8s.io/controller-runtime/pkg/log/zap"
	"sigs.k8s.io/controller-runtime/pkg/metrics/server"
)

func main() {
	log.SetLogger(zap.New(zap.WriteTo(os.Stderr)))
	if err := run(ctrl.SetupSignalHandler(), os.Args[1], os.Args[2], os.Args[3:]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(ctx context.Context, command, namespace string, words []string) error {
	switch command {
	case "watch":
		return watch(ctx, namespace)
	case "apply":
		return apply(ctx, namespace, words[0], words[1], len(words) > 2)
	case "reconcile":
		return reconcile(ctx, namespace)
	case "widgets":
		return reconcileWidgets(ctx, namespace)
	}
	return fmt.Errorf("no command %s", command)
}

func watch(ctx context.Context, namespace string) error {
	config, err := ctrl.GetConfig()
	if err != nil {
		return err
	}
	objects, err := cache.New(config, cache.Options{DefaultNamespaces: map[string]cache.Config{namespace: {}}})
	if err != nil {
		return err
	}
	go func() { _ = objects.Start(ctx) }()
	informer, err := objects.GetInformer(ctx, &corev1.Pod{})
	if err != nil {
		return err
	}
	say := func(what string) func(any) {
		return func(object any) { fmt.Println(what, object.(*corev1.Pod).Name) }
	}
	if _, err = informer.AddEventHandler(toolscache.ResourceEventHandlerFuncs{AddFunc: say("added"), DeleteFunc: say("deleted")}); err != nil {
		return err
	}
	var pods corev1.PodList
	if err = objects.List(ctx, &pods); err != nil {
		return err
	}
	fmt.Println("synced", len(pods.Items))
	_, err = io.Copy(io.Discard, os.Stdin)
	return err
}

func apply(ctx context.Context, namespace, manager, replicas string, force bool) error {
	size, err := strconv.ParseInt(replicas, 10, 32)
	if err != nil {
		return err
	}
	config, err := ctrl.GetConfig()
	if err != nil {
		return err
	}
	api, err := client.New(config, client.Options{})
	if err != nil {
		return err
	}
	labels := map[string]string{"app": "applied"}
	wanted := appsapply.Deployment("applied", namespace).WithSpec(appsapply.DeploymentSpec().
		WithReplicas(int32(size)).
		WithSelector(metaapply.LabelSelector().WithMatchLabels(labels)).
		WithTemplate(coreapply.PodTemplateSpec().WithLabels(labels).WithSpec(coreapply.PodSpec().
			WithContainers(coreapply.Container().WithName("web").WithImage("web")))))
	options := []client.ApplyOption{client.FieldOwner(manager)}
	if force {
		options = append(options, client.ForceOwnership)
	}
	err = api.Apply(ctx, wanted, options...)
	if apierrors.IsConflict(err) {
		fmt.Println("conflict:", err)
		return nil
	}
	if err != nil {
		return err
	}
	fmt.Println("applied", *wanted.Spec.Replicas)
	return nil
}

// reconciler keeps one Deployment for each ConfigMap with the label `size`, of so many replicas.
type reconciler struct{ client.Client }

func reconcile(ctx context.Context, namespace string) error {
	config, err := ctrl.GetConfig()
	if err != nil {
		return err
	}
	manager, err := ctrl.NewManager(config, ctrl.Options{
		Cache:                   cache.Options{DefaultNamespaces: map[string]cache.Config{namespace: {}}},
		Metrics:                 server.Options{BindAddress: "0"},
		LeaderElection:          true,
		LeaderElectionID:        "sized-deployments",
		LeaderElectionNamespace: namespace,
	})
	if err != nil {
		return err
	}
	err = ctrl.NewControllerManagedBy(manager).
		For(&corev1.ConfigMap{}).
		Owns(&appsv1.Deployment{}).
		Complete(reconciler{manager.GetClient()})
	if err != nil {
		return err
	}
	return manager.Start(ctx)
}

func (r reconciler) Reconcile(ctx context.Context, request ctrl.Request) (ctrl.Result, error) {
	var source corev1.ConfigMap
	if err := r.Get(ctx, request.NamespacedName, &source); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	size, err := strconv.ParseInt(source.Labels["size"], 10, 32)
	if err != nil {
		return ctrl.Result{}, nil
	}
	replicas := int32(size)
	labels := map[string]string{"app": source.Name}
	deployment := &appsv1.Deployment{ObjectMeta: metav1.ObjectMeta{Name: source.Name, Namespace: source.Namespace}}
	done, err := controllerutil.CreateOrUpdate(ctx, r.Client, deployment, func() error {
		deployment.Spec.Replicas = &replicas
		deployment.Spec.Selector = &metav1.LabelSelector{MatchLabels: labels}
		deployment.Spec.Template.Labels = labels
		if len(deployment.Spec.Template.Spec.Containers) == 0 {
			deployment.Spec.Template.Spec.Containers = []corev1.Container{{Name: "web", Image: "web"}}
		}
		return controllerutil.SetControllerReference(&source, deployment, r.Scheme())
	})
	if err != nil {
		return ctrl.Result{}, err
	}
	if done != controllerutil.OperationResultNone {
		fmt.Println(done, deployment.Name, replicas)
	}
	if deployment.Status.AvailableReplicas == replicas {
		fmt.Println("available", deployment.Name, replicas)
	}
	return ctrl.Result{}, nil
}
