package main

import (
	"context"
	"fmt"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	clientgoscheme "k8s.io/client-go/kubernetes/scheme"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
	"sigs.k8s.io/controller-runtime/pkg/metrics/server"

	"trimtab/test/clients/widget"
)

const finalizer = "example.com/painted"

// painter keeps a ConfigMap for each widget, says in the status of the widget that it did, and holds it back by a finalizer.
type painter struct{ client.Client }

func reconcileWidgets(ctx context.Context, namespace string) error {
	config, err := ctrl.GetConfig()
	if err != nil {
		return err
	}
	scheme := runtime.NewScheme()
	for _, add := range []func(*runtime.Scheme) error{clientgoscheme.AddToScheme, widget.AddToScheme} {
		if err := add(scheme); err != nil {
			return err
		}
	}
	manager, err := ctrl.NewManager(config, ctrl.Options{
		Scheme:  scheme,
		Cache:   cache.Options{DefaultNamespaces: map[string]cache.Config{namespace: {}}},
		Metrics: server.Options{BindAddress: "0"},
	})
	if err != nil {
		return err
	}
	err = ctrl.NewControllerManagedBy(manager).
		For(&widget.Widget{}).
		Owns(&corev1.ConfigMap{}).
		Complete(painter{manager.GetClient()})
	if err != nil {
		return err
	}
	return manager.Start(ctx)
}

func (p painter) Reconcile(ctx context.Context, request ctrl.Request) (ctrl.Result, error) {
	var source widget.Widget
	if err := p.Get(ctx, request.NamespacedName, &source); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if !source.DeletionTimestamp.IsZero() {
		if controllerutil.RemoveFinalizer(&source, finalizer) {
			fmt.Println("released", source.Name)
			return ctrl.Result{}, p.Update(ctx, &source)
		}
		return ctrl.Result{}, nil
	}
	if controllerutil.AddFinalizer(&source, finalizer) {
		return ctrl.Result{}, p.Update(ctx, &source)
	}
	paint := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: source.Name, Namespace: source.Namespace}}
	if _, err := controllerutil.CreateOrUpdate(ctx, p.Client, paint, func() error {
		paint.Data = map[string]string{"colour": source.Spec.Colour}
		return controllerutil.SetControllerReference(&source, paint, p.Scheme())
	}); err != nil {
		return ctrl.Result{}, err
	}
	before := source.DeepCopyObject().(*widget.Widget)
	source.Status.Size = source.Spec.Size
	changed := meta.SetStatusCondition(&source.Status.Conditions, metav1.Condition{
		Type: "Painted", Status: metav1.ConditionTrue, Reason: "Done", ObservedGeneration: source.Generation,
	})
	if !changed {
		return ctrl.Result{}, nil
	}
	if err := p.Status().Patch(ctx, &source, client.MergeFrom(before)); err != nil {
		return ctrl.Result{}, err
	}
	fmt.Println("painted", source.Name, source.Spec.Colour, source.Status.Size)
	return ctrl.Result{}, nil
}
