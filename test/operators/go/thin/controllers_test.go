package thin

import (
	"context"
	"testing"

	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/envtest"
)

// What envtest alone does not do; kubernetes-sigs/controller-runtime issue 3083 asks for it.

func startPlain(t *testing.T) client.Client {
	t.Helper()
	environment := &envtest.Environment{}
	config, err := environment.Start()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := environment.Stop(); err != nil {
			t.Error(err)
		}
	})
	direct, err := client.New(config, client.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return direct
}

func create(t *testing.T, c client.Client, objects ...client.Object) {
	t.Helper()
	for _, object := range objects {
		if err := c.Create(context.Background(), object); err != nil {
			t.Fatal(err)
		}
	}
}

func eventuallyGone(t *testing.T, c client.Client, object client.Object) {
	t.Helper()
	eventually(t, object.GetName()+" gone", func(ctx context.Context) (bool, error) {
		err := c.Get(ctx, client.ObjectKeyFromObject(object), object)
		return apierrors.IsNotFound(err), client.IgnoreNotFound(err)
	})
}

func configMap(namespace, name string) *corev1.ConfigMap {
	return &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: name}}
}

func owned(owner *corev1.ConfigMap, name string) *corev1.ConfigMap {
	object, blocks := configMap(owner.Namespace, name), true
	object.OwnerReferences = []metav1.OwnerReference{{
		APIVersion: "v1", Kind: "ConfigMap", Name: owner.Name, UID: owner.UID, BlockOwnerDeletion: &blocks,
	}}
	return object
}

func template(policy corev1.RestartPolicy) corev1.PodTemplateSpec {
	return corev1.PodTemplateSpec{
		ObjectMeta: metav1.ObjectMeta{Labels: map[string]string{"app": "web"}},
		Spec: corev1.PodSpec{
			RestartPolicy: policy,
			Containers:    []corev1.Container{{Name: "web", Image: "registry.example/web:1"}},
		},
	}
}

func TestOwnedObjectsAreCollected(t *testing.T) {
	c := startPlain(t)
	for _, policy := range []metav1.DeletionPropagation{
		metav1.DeletePropagationBackground, metav1.DeletePropagationForeground,
	} {
		t.Run(string(policy), func(t *testing.T) {
			owner := configMap("default", "owner")
			create(t, c, owner)
			child := owned(owner, "child")
			create(t, c, child)
			grandchild := owned(child, "grandchild")
			create(t, c, grandchild)
			if err := c.Delete(context.Background(), owner, client.PropagationPolicy(policy)); err != nil {
				t.Fatal(err)
			}
			for _, object := range []client.Object{owner, child, grandchild} {
				eventuallyGone(t, c, object)
			}
		})
	}
	t.Run("Orphan", func(t *testing.T) {
		owner := configMap("default", "owner")
		create(t, c, owner)
		child := owned(owner, "child")
		create(t, c, child)
		orphan := client.PropagationPolicy(metav1.DeletePropagationOrphan)
		if err := c.Delete(context.Background(), owner, orphan); err != nil {
			t.Fatal(err)
		}
		eventuallyGone(t, c, owner)
		if err := c.Get(context.Background(), client.ObjectKeyFromObject(child), child); err != nil {
			t.Fatal(err)
		}
		if len(child.OwnerReferences) > 0 {
			t.Errorf("it still has an owner: %v", child.OwnerReferences)
		}
	})
}

func TestNamespacesGo(t *testing.T) {
	c := startPlain(t)
	namespace := &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: "doomed"}}
	held := configMap("doomed", "held")
	held.Finalizers = []string{"shipping.example.com/hold"}
	plain := configMap("doomed", "plain")
	create(t, c, namespace, held, plain)
	if err := c.Delete(context.Background(), namespace); err != nil {
		t.Fatal(err)
	}
	eventuallyGone(t, c, plain)
	if err := c.Get(context.Background(), client.ObjectKeyFromObject(namespace), namespace); err != nil {
		t.Fatalf("it went before what it holds: %v", err)
	}
	none := client.RawPatch(types.MergePatchType, []byte(`{"metadata":{"finalizers":null}}`))
	if err := c.Patch(context.Background(), held, none); err != nil {
		t.Fatal(err)
	}
	eventuallyGone(t, c, namespace)
	create(t, c, &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: "doomed"}}, configMap("doomed", "plain"))
}

func TestDeploymentsBecomeAvailable(t *testing.T) {
	c := startPlain(t)
	replicas := int32(3)
	deployment := &appsv1.Deployment{
		ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: "web"},
		Spec: appsv1.DeploymentSpec{
			Replicas: &replicas,
			Selector: &metav1.LabelSelector{MatchLabels: map[string]string{"app": "web"}},
			Template: template(corev1.RestartPolicyAlways),
		},
	}
	create(t, c, deployment)
	eventually(t, "available", func(ctx context.Context) (bool, error) {
		err := c.Get(ctx, client.ObjectKeyFromObject(deployment), deployment)
		return deployment.Status.AvailableReplicas == replicas, err
	})
	pods, inDefault := &corev1.PodList{}, client.InNamespace("default")
	if err := c.List(context.Background(), pods, inDefault); err != nil {
		t.Fatal(err)
	}
	for _, pod := range pods.Items {
		if pod.Spec.NodeName == "" || pod.Status.Phase != corev1.PodRunning {
			t.Errorf("%s is %s on %q", pod.Name, pod.Status.Phase, pod.Spec.NodeName)
		}
	}
	if err := c.Delete(context.Background(), deployment); err != nil {
		t.Fatal(err)
	}
	eventually(t, "its Pods gone", func(ctx context.Context) (bool, error) {
		err := c.List(ctx, pods, inDefault)
		return len(pods.Items) == 0, err
	})
}

func TestJobsComplete(t *testing.T) {
	c := startPlain(t)
	completions := int32(2)
	job := &batchv1.Job{
		ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: "report"},
		Spec:       batchv1.JobSpec{Completions: &completions, Template: template(corev1.RestartPolicyNever)},
	}
	create(t, c, job)
	eventually(t, "complete", func(ctx context.Context) (bool, error) {
		if err := c.Get(ctx, client.ObjectKeyFromObject(job), job); err != nil {
			return false, err
		}
		for _, condition := range job.Status.Conditions {
			if condition.Type == batchv1.JobComplete && condition.Status == corev1.ConditionTrue {
				return true, nil
			}
		}
		return false, nil
	})
	if job.Status.Succeeded != completions || job.Status.CompletionTime == nil {
		t.Errorf("its status is %v", job.Status)
	}
}
