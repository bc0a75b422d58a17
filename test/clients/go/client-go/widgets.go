package main

import (
	"context"
	"fmt"
	"io"
	"os"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/dynamic/dynamicinformer"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/cache"

	"trimtab/test/clients/widget"
)

// dynamicWidgets follows widgets with an informer that knows their path only.
func (p program) dynamicWidgets(ctx context.Context) error {
	client, err := dynamic.NewForConfig(p.config)
	if err != nil {
		return err
	}
	factory := dynamicinformer.NewFilteredDynamicSharedInformerFactory(client, 0, p.namespace, nil)
	return follow(ctx, factory.ForResource(widget.Resource).Informer(), func(object any) string {
		size, _, _ := unstructured.NestedInt64(object.(*unstructured.Unstructured).Object, "spec", "size")
		return fmt.Sprint(size)
	})
}

// typedWidgets follows widgets with an informer that has their Go types.
func (p program) typedWidgets(ctx context.Context) error {
	scheme := runtime.NewScheme()
	if err := widget.AddToScheme(scheme); err != nil {
		return err
	}
	config := rest.CopyConfig(p.config)
	config.APIPath = "/apis"
	config.GroupVersion = &widget.GroupVersion
	config.NegotiatedSerializer = serializer.NewCodecFactory(scheme).WithoutConversion()
	client, err := rest.RESTClientFor(config)
	if err != nil {
		return err
	}
	lists := cache.NewListWatchFromClient(client, "widgets", p.namespace, fields.Everything())
	informer := cache.NewSharedIndexInformer(lists, &widget.Widget{}, 0, cache.Indexers{})
	return follow(ctx, informer, func(object any) string { return fmt.Sprint(object.(*widget.Widget).Spec.Size) })
}

func follow(ctx context.Context, informer cache.SharedIndexInformer, size func(any) string) error {
	say := func(what string, object any) {
		accessor, err := meta.Accessor(object)
		if err != nil {
			panic(err)
		}
		fmt.Println(what, accessor.GetName(), size(object))
	}
	if _, err := informer.AddEventHandler(cache.ResourceEventHandlerFuncs{
		AddFunc: func(object any) { say("added", object) },
		UpdateFunc: func(old, object any) {
			if size(old) != size(object) {
				say("changed", object)
			}
		},
		DeleteFunc: func(object any) { say("deleted", object) },
	}); err != nil {
		return err
	}
	go informer.Run(ctx.Done())
	if !cache.WaitForCacheSync(ctx.Done(), informer.HasSynced) {
		return fmt.Errorf("the informer never synced")
	}
	fmt.Println("synced", len(informer.GetStore().List()))
	_, err := io.Copy(io.Discard, os.Stdin)
	return err
}

// applyWidget applies a widget of a size as a manager, by the dynamic client.
func (p program) applyWidget(ctx context.Context, manager string, size int64, force bool) error {
	client, err := dynamic.NewForConfig(p.config)
	if err != nil {
		return err
	}
	wanted := &unstructured.Unstructured{Object: map[string]any{"spec": map[string]any{"size": size}}}
	wanted.SetGroupVersionKind(widget.GroupVersion.WithKind("Widget"))
	wanted.SetName("applied")
	options := metav1.ApplyOptions{FieldManager: manager, Force: force}
	applied, err := client.Resource(widget.Resource).Namespace(p.namespace).Apply(ctx, "applied", wanted, options)
	if err != nil {
		fmt.Println("refused:", err)
		return nil
	}
	kept, _, _ := unstructured.NestedInt64(applied.Object, "spec", "size")
	fmt.Println("applied", kept)
	return nil
}
