// An informer as client-go has it, against the cluster of a kubeconfig: says what it sees until its input ends.
package main

import (
	"bufio"
	"context"
	"fmt"
	"os"

	v1 "k8s.io/api/core/v1"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/tools/clientcmd"
)

func main() {
	if err := follow(os.Args[1], os.Args[2]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func follow(kubeconfig, namespace string) error {
	config, err := clientcmd.BuildConfigFromFlags("", kubeconfig)
	if err != nil {
		return err
	}
	client, err := kubernetes.NewForConfig(config)
	if err != nil {
		return err
	}
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	factory := informers.NewSharedInformerFactoryWithOptions(client, 0, informers.WithNamespace(namespace))
	pods := factory.Core().V1().Pods().Informer()
	say := func(what string) func(any) {
		return func(object any) {
			if pod, ok := object.(*v1.Pod); ok {
				fmt.Println(what, pod.Name)
			}
		}
	}
	_, err = pods.AddEventHandler(cache.ResourceEventHandlerFuncs{AddFunc: say("added"), DeleteFunc: say("deleted")})
	if err != nil {
		return err
	}
	factory.Start(ctx.Done())
	if !cache.WaitForCacheSync(ctx.Done(), pods.HasSynced) {
		return fmt.Errorf("the informer never synced")
	}
	fmt.Println("synced", len(pods.GetStore().List()))
	for lines := bufio.NewScanner(os.Stdin); lines.Scan(); {
	}
	return nil
}
