// Package thin is a suite with envtest as its users write one: nothing in it knows of trimtab.
package thin

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	admissionv1 "k8s.io/api/admissionregistration/v1"
	authenticationv1 "k8s.io/api/authentication/v1"
	corev1 "k8s.io/api/core/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/client-go/rest"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/envtest"
	"sigs.k8s.io/controller-runtime/pkg/manager"
	"sigs.k8s.io/controller-runtime/pkg/metrics/server"
	"sigs.k8s.io/controller-runtime/pkg/webhook"
	"sigs.k8s.io/controller-runtime/pkg/webhook/admission"
)

var groupKind = schema.GroupVersionKind{Group: "shipping.example.com", Version: "v1", Kind: "Parcel"}

func definition() *apiextensionsv1.CustomResourceDefinition {
	preserves := true
	return &apiextensionsv1.CustomResourceDefinition{
		ObjectMeta: metav1.ObjectMeta{Name: "parcels." + groupKind.Group},
		Spec: apiextensionsv1.CustomResourceDefinitionSpec{
			Group: groupKind.Group,
			Scope: apiextensionsv1.NamespaceScoped,
			Names: apiextensionsv1.CustomResourceDefinitionNames{
				Plural: "parcels", Singular: "parcel", Kind: "Parcel", ListKind: "ParcelList",
			},
			Versions: []apiextensionsv1.CustomResourceDefinitionVersion{{
				Name: "v1", Served: true, Storage: true,
				Subresources: &apiextensionsv1.CustomResourceSubresources{
					Status: &apiextensionsv1.CustomResourceSubresourceStatus{},
				},
				Schema: &apiextensionsv1.CustomResourceValidation{
					OpenAPIV3Schema: &apiextensionsv1.JSONSchemaProps{
						Type: "object", XPreserveUnknownFields: &preserves,
					},
				},
			}},
		},
	}
}

func parcel(name string) *unstructured.Unstructured {
	object := &unstructured.Unstructured{}
	object.SetGroupVersionKind(groupKind)
	object.SetNamespace("default")
	object.SetName(name)
	return object
}

// stamper labels every Parcel and gives it a ConfigMap with a controller reference.
type stamper struct{ client.Client }

func (s stamper) Reconcile(ctx context.Context, request ctrl.Request) (ctrl.Result, error) {
	found := parcel(request.Name)
	if err := s.Get(ctx, request.NamespacedName, found); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	content := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Namespace: request.Namespace, Name: request.Name}}
	_, err := ctrl.CreateOrUpdate(ctx, s.Client, content, func() error {
		content.Data = map[string]string{"stamped": "yes"}
		return ctrl.SetControllerReference(found, content, s.Scheme())
	})
	if err != nil {
		return ctrl.Result{}, err
	}
	return ctrl.Result{}, unstructuredStatus(ctx, s.Client, found)
}

func unstructuredStatus(ctx context.Context, c client.Client, object *unstructured.Unstructured) error {
	if stamped, _, _ := unstructured.NestedBool(object.Object, "status", "stamped"); stamped {
		return nil
	}
	if err := unstructured.SetNestedField(object.Object, true, "status", "stamped"); err != nil {
		return err
	}
	return c.Status().Update(ctx, object)
}

// denier refuses ConfigMaps named "forbidden".
type denier struct{}

func (denier) Handle(_ context.Context, request admission.Request) admission.Response {
	if request.Name == "forbidden" {
		return admission.Denied("this name is forbidden")
	}
	return admission.Allowed("")
}

func start(t *testing.T) (*envtest.Environment, *rest.Config) {
	t.Helper()
	fail, path, none := admissionv1.Fail, "/deny", admissionv1.SideEffectClassNone
	environment := &envtest.Environment{
		CRDInstallOptions: envtest.CRDInstallOptions{CRDs: []*apiextensionsv1.CustomResourceDefinition{definition()}},
		WebhookInstallOptions: envtest.WebhookInstallOptions{
			ValidatingWebhooks: []*admissionv1.ValidatingWebhookConfiguration{{
				ObjectMeta: metav1.ObjectMeta{Name: "deny"},
				Webhooks: []admissionv1.ValidatingWebhook{{
					Name:                    "deny.shipping.example.com",
					FailurePolicy:           &fail,
					SideEffects:             &none,
					AdmissionReviewVersions: []string{"v1"},
					ClientConfig: admissionv1.WebhookClientConfig{
						Service: &admissionv1.ServiceReference{Name: "deny", Namespace: "default", Path: &path},
					},
					Rules: []admissionv1.RuleWithOperations{{
						Operations: []admissionv1.OperationType{admissionv1.Create},
						Rule: admissionv1.Rule{
							APIGroups: []string{""}, APIVersions: []string{"v1"}, Resources: []string{"configmaps"},
						},
					}},
				}},
			}},
		},
	}
	begun := time.Now()
	config, err := environment.Start()
	if err != nil {
		t.Fatal(err)
	}
	fmt.Printf("started in %d ms\n", time.Since(begun).Milliseconds())
	t.Cleanup(func() {
		if err := environment.Stop(); err != nil {
			t.Error(err)
		}
	})
	return environment, config
}

func startManager(t *testing.T, environment *envtest.Environment, config *rest.Config) manager.Manager {
	t.Helper()
	options := environment.WebhookInstallOptions
	manager, err := ctrl.NewManager(config, ctrl.Options{
		Metrics: server.Options{BindAddress: "0"},
		WebhookServer: webhook.NewServer(webhook.Options{
			Host: options.LocalServingHost, Port: options.LocalServingPort, CertDir: options.LocalServingCertDir,
		}),
	})
	if err != nil {
		t.Fatal(err)
	}
	manager.GetWebhookServer().Register("/deny", &webhook.Admission{Handler: denier{}})
	err = ctrl.NewControllerManagedBy(manager).Named("stamper").For(parcel("")).Owns(&corev1.ConfigMap{}).
		Complete(stamper{manager.GetClient()})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- manager.Start(ctx) }()
	t.Cleanup(func() {
		cancel()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
	return manager
}

func eventually(t *testing.T, what string, condition func(context.Context) (bool, error)) {
	t.Helper()
	err := wait.PollUntilContextTimeout(context.Background(), 20*time.Millisecond, 2*time.Minute, true, condition)
	if err != nil {
		t.Fatalf("%s: %v", what, err)
	}
}

func TestOperatorSuite(t *testing.T) {
	environment, config := start(t)
	manager := startManager(t, environment, config)
	ctx := context.Background()
	direct, err := client.New(config, client.Options{})
	if err != nil {
		t.Fatal(err)
	}

	t.Run("a webhook of the suite denies", func(t *testing.T) {
		forbidden := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: "forbidden"}}
		var last error
		defer func() { t.Logf("the last answer: %v", last) }()
		eventually(t, "denied", func(ctx context.Context) (bool, error) {
			err := direct.Create(ctx, forbidden.DeepCopy())
			if ctx.Err() == nil {
				last = err
			}
			return apierrors.IsForbidden(err), nil
		})
	})

	t.Run("a controller with a cache reconciles", func(t *testing.T) {
		if err := direct.Create(ctx, parcel("first")); err != nil {
			t.Fatal(err)
		}
		eventually(t, "stamped", func(ctx context.Context) (bool, error) {
			found := parcel("first")
			if err := manager.GetClient().Get(ctx, client.ObjectKeyFromObject(found), found); err != nil {
				return false, client.IgnoreNotFound(err)
			}
			stamped, _, err := unstructured.NestedBool(found.Object, "status", "stamped")
			return stamped, err
		})
	})

	t.Run("nobody collects garbage, runs Pods or ends namespaces", func(t *testing.T) {
		namespace := &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: "doomed"}}
		pod := &corev1.Pod{
			ObjectMeta: metav1.ObjectMeta{Namespace: "doomed", Name: "web"},
			Spec:       corev1.PodSpec{Containers: []corev1.Container{{Name: "web", Image: "web"}}},
		}
		for _, object := range []client.Object{namespace, pod} {
			if err := direct.Create(ctx, object); err != nil {
				t.Fatal(err)
			}
		}
		pod.Status.Phase = corev1.PodRunning
		if err := direct.Status().Update(ctx, pod); err != nil {
			t.Fatal(err)
		}
		if err := direct.Delete(ctx, namespace); err != nil {
			t.Fatal(err)
		}
		if err := direct.Get(ctx, client.ObjectKeyFromObject(pod), pod); err != nil {
			t.Fatal(err)
		}
		if pod.Status.Phase != corev1.PodRunning || pod.Spec.ServiceAccountName != "" || pod.Spec.NodeName != "" {
			t.Errorf("somebody changed the Pod: %v", pod)
		}
	})

	t.Run("a token of a service account is one of its user", func(t *testing.T) {
		account := &corev1.ServiceAccount{ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: "robot"}}
		if err := direct.Create(ctx, account); err != nil {
			t.Fatal(err)
		}
		request := &authenticationv1.TokenRequest{}
		if err := direct.SubResource("token").Create(ctx, account, request); err != nil {
			t.Fatal(err)
		}
		anonymous := rest.AnonymousClientConfig(config)
		anonymous.BearerToken = request.Status.Token
		robot, err := client.New(anonymous, client.Options{})
		if err != nil {
			t.Fatal(err)
		}
		review := &authenticationv1.SelfSubjectReview{}
		if err := robot.Create(ctx, review); err != nil {
			t.Fatal(err)
		}
		if name := review.Status.UserInfo.Username; name != "system:serviceaccount:default:robot" {
			t.Errorf("it is a token of %q", name)
		}
		if issuer := request.Spec.Audiences; len(issuer) != 1 || !strings.HasPrefix(issuer[0], "https://127.0.0.1:") {
			t.Errorf("its audience is %v", issuer)
		}
	})

	t.Run("users may do what roles allow, and no more", func(t *testing.T) {
		user, err := environment.AddUser(envtest.User{Name: "reader", Groups: []string{"readers"}}, nil)
		if err != nil {
			t.Fatal(err)
		}
		reader, err := client.New(user.Config(), client.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if err := reader.List(ctx, &corev1.SecretList{}); !apierrors.IsForbidden(err) {
			t.Fatalf("expected to be forbidden, not %v", err)
		}
		role := &rbacv1.ClusterRole{
			ObjectMeta: metav1.ObjectMeta{Name: "secrets"},
			Rules:      []rbacv1.PolicyRule{{APIGroups: []string{""}, Resources: []string{"secrets"}, Verbs: []string{"list"}}},
		}
		binding := &rbacv1.ClusterRoleBinding{
			ObjectMeta: metav1.ObjectMeta{Name: "secrets"},
			RoleRef:    rbacv1.RoleRef{APIGroup: rbacv1.GroupName, Kind: "ClusterRole", Name: "secrets"},
			Subjects:   []rbacv1.Subject{{APIGroup: rbacv1.GroupName, Kind: "Group", Name: "readers"}},
		}
		for _, object := range []client.Object{role, binding} {
			if err := direct.Create(ctx, object); err != nil {
				t.Fatal(err)
			}
		}
		eventually(t, "allowed", func(ctx context.Context) (bool, error) {
			return reader.List(ctx, &corev1.SecretList{}) == nil, nil
		})
	})
}
