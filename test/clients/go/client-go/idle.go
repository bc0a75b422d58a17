package main

import (
	"context"
	"fmt"
	"net/http"
	"sync"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/transport"
)

const (
	connections = 1000
	shortest    = 6 * time.Second
	longest     = 80 * time.Second
)

// idle opens connections, leaves each alone for a while, and then posts over it. Go may only retry a POST that was never
// sent, so one that meets a closing connection fails. Each client has one connection, spread evenly over the idle times.
func (p program) idle(ctx context.Context) error {
	var all sync.WaitGroup
	failures := make(chan error, connections)
	opening := make(chan struct{}, 20)
	for i := range connections {
		all.Add(1)
		go func() {
			defer all.Done()
			wait := shortest + (longest-shortest)*time.Duration(i)/connections
			if err := p.postAfter(ctx, i, wait, opening); err != nil {
				failures <- fmt.Errorf("after %s: %w", wait, err)
			}
		}()
	}
	all.Wait()
	close(failures)
	failed := len(failures)
	for err := range failures {
		fmt.Println(err)
	}
	fmt.Println("posted", connections-failed)
	return nil
}

func (p program) postAfter(ctx context.Context, number int, wait time.Duration, opening chan struct{}) error {
	client, err := p.ownConnection()
	if err != nil {
		return err
	}
	maps := client.CoreV1().ConfigMaps(p.namespace)
	opening <- struct{}{}
	_, err = maps.Get(ctx, "greeting", metav1.GetOptions{})
	<-opening
	if err != nil {
		return fmt.Errorf("opening: %w", err)
	}
	time.Sleep(wait)
	name := fmt.Sprintf("idle-%d", number)
	_, err = maps.Create(ctx, &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: name}}, metav1.CreateOptions{})
	return err
}

// ownConnection is a client that shares no connection with another: client-go caches transports by configuration.
func (p program) ownConnection() (kubernetes.Interface, error) {
	config := rest.CopyConfig(p.config)
	tlsConfig, err := rest.TLSConfigFor(config)
	if err != nil {
		return nil, err
	}
	wrapped, err := transport.HTTPWrappersForConfig(
		&transport.Config{BearerToken: config.BearerToken},
		&http.Transport{TLSClientConfig: tlsConfig, MaxIdleConnsPerHost: 1, ForceAttemptHTTP2: false},
	)
	if err != nil {
		return nil, err
	}
	return kubernetes.NewForConfigAndClient(config, &http.Client{Transport: wrapped})
}
